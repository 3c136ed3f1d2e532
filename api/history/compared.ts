import { z } from 'zod';
import type { UnitField } from '../../sql/catalogue/field.ts';
import type { SignalId } from '../../sql/catalogue/signals.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/texts.ts';
import { rowOf } from '../units/read.ts';
import { shownValue } from '../units/unit.ts';

/** What differs between two rows of a unit. */

/** A change of one field. */
export const changeShape = z
  .strictObject({ feld: z.string(), vorher: z.unknown(), nachher: z.unknown() })
  .meta({ id: 'FieldChange' });

/** Fields that change with the day of the question are no change of a unit. */
export const comparedFields = (fields: readonly UnitField[]): UnitField[] =>
  fields.filter(({ read, name }) => read?.sql.includes('$today') !== true && name !== 'mastrNummer');

/** The caller's fields and signals. */
interface Shown {
  readonly fields: readonly UnitField[];
  readonly signals: ReadonlySet<SignalId>;
  readonly today: string;
}

/** Each field in which two rows of a unit differ, as answers show its values. */
export function changesBetween(before: UnitTexts, after: UnitTexts, { fields, signals, today }: Shown) {
  const shown = new Set(fields);
  const [then, now] = [rowOf(before, shown, today), rowOf(after, shown, today)];
  return fields.flatMap(({ name, kind }) => {
    const vorher = shownValue(then[name] ?? null, kind, signals);
    const nachher = shownValue(now[name] ?? null, kind, signals);
    return JSON.stringify(vorher) === JSON.stringify(nachher) ? [] : [{ feld: name, vorher, nachher }];
  });
}
