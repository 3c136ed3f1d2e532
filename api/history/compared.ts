import { z } from 'zod';
import { columnsRead, isCompared, type UnitField } from '../../sql/catalogue/field.ts';
import { PERSONAL_COLUMNS } from '../../sql/catalogue/personal.ts';
import { type SignalId, turnsWithDay } from '../../sql/catalogue/signals.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/texts.ts';
import { rowOf } from '../units/read.ts';
import { shownValue } from '../units/unit.ts';

/** What differs between two rows of a unit. */

/** A change of one field. */
export const changeShape = z
  .strictObject({ feld: z.string(), vorher: z.unknown(), nachher: z.unknown() })
  .meta({ id: 'FieldChange' });

/** The fields of which changes are told. */
export const comparedFields = (fields: readonly UnitField[]): UnitField[] => fields.filter(isCompared);

/** It says in words which fields these are. */
export const TELLS = 'it watches readable fields of GET /v1/units/fields that do not turn with the day';

/** The caller's fields and signals. */
interface Shown {
  readonly fields: readonly UnitField[];
  readonly signals: ReadonlySet<SignalId>;
  readonly today: string;
}

/** Each field in which two rows of a unit differ, as answers show its values. */
export function changesBetween(before: UnitTexts, after: UnitTexts, { fields, signals, today }: Shown) {
  const shown = new Set(fields);
  // What was forgotten of one of them is no change.
  const known = [before, after].some(isErased) ? fields.filter((field) => !isPersonal(field)) : fields;
  const [then, now] = [rowOf(before, shown, today), rowOf(after, shown, today)];
  return known.flatMap(({ name, kind }) => {
    const vorher = shownValue(then[name] ?? null, kind, signals);
    const nachher = shownValue(now[name] ?? null, kind, signals);
    return JSON.stringify(vorher) === JSON.stringify(nachher) ? [] : [{ feld: name, vorher, nachher }];
  });
}

type Change = ReturnType<typeof changesBetween>[number];

/**
 * The changes that the register made between two rows of a unit, with what followed from them. None where they differ only in what days
 * and further exports bring about.
 */
export function toldChanges(before: UnitTexts, after: UnitTexts, shown: Shown): Change[] {
  const changes = changesBetween(before, after, shown);
  return changes.every(cameByItself) ? [] : changes;
}

/** True for what may differ though the register says the same: a planned day that moved is a field of its own. */
function cameByItself({ feld, vorher, nachher }: Change): boolean {
  if (feld === 'ibnVerschiebungTage') return true;
  if (feld !== 'signals') return false;
  const [then, now] = [vorher as SignalId[], nachher as SignalId[]];
  return [...then, ...now].every((id) => (then.includes(id) && now.includes(id)) || turnsWithDay(id));
}

/**
 * Gives rows of which what is personal was forgotten that of the last one before which has it. Nothing differs in it then, and the next row
 * is compared with what can still be known.
 * @param rows of one unit, oldest first
 */
export function comparableRows<Row extends { readonly texts: UnitTexts }>(rows: readonly Row[]): Row[] {
  let personal: readonly (readonly [string, string])[] = [];
  return rows.map((row) => {
    if (isErased(row.texts)) return { ...row, texts: new Map([...row.texts, ...personal]) };
    personal = [...row.texts].filter(([name]) => PERSONAL_COLUMNS.includes(name));
    return row;
  });
}

/** An erased row has nothing personal; any other has an owner at least. */
const isErased = (row: UnitTexts): boolean => PERSONAL_COLUMNS.every((name) => row.get(name) === undefined);

const isPersonal = (field: UnitField): boolean => columnsRead(field).some((name) => PERSONAL_COLUMNS.includes(name));
