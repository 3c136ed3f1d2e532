import { entryOf } from '../../runtime/present.ts';
import { fieldsOf, type RegisterField } from '../../sql/register/fields.ts';
import type { ColumnKind } from './columns.ts';
import { type Catalogues, labelsOf } from './labels.ts';
import { type ConditionalElements, type StagedTable, tableOf } from './tables.ts';

/** The plan of staging for a kind of file: the columns of its table, and the elements that fill them. */

/** A column of a staged table as a file of one kind fills it. */
export interface StagedColumn {
  readonly name: string;
  readonly element: string;
  readonly kind: ColumnKind;
  /** Slot of the element; -1 when this kind of file does not have it. */
  readonly slot: number;
  /** Slot of the flag that marks the value as not available; -1 when there is none. */
  readonly notAvailableSlot: number;
  /** True when findings may repeat the text: it is not personal, and not a MaStR number, in whose place may be a name. */
  readonly repeatable: boolean;
}

export interface StagingPlan {
  readonly table: string;
  readonly kind: string;
  readonly sliced: boolean;
  /** Element name to slot, former names included. */
  readonly slots: ReadonlyMap<string, number>;
  readonly keySlot: number;
  readonly keyAs: StagedTable['keyAs'];
  readonly columns: readonly StagedColumn[];
  readonly withheld: readonly WithheldColumns[];
}

/** Columns of a file that are staged only for records that allow it. */
export interface WithheldColumns {
  readonly elements: readonly string[];
  readonly unlessSlot: number;
  readonly allows: ConditionalElements['allows'];
}

/** Slots for all elements of a kind of file; the former name of an element shares the slot of its present name. */
export function slotsOf(kind: string): Map<string, number> {
  const fields = fieldsOf(kind);
  const slots = new Map<string, number>();
  for (const { field, now } of fields) if (now === '') slots.set(field, slots.size);
  for (const { field, now } of fields) if (now !== '') slots.set(field, slots.get(now) ?? slots.size);
  return slots;
}

/** Returns the plan of staging for a kind of file; null when it belongs to no staged table. */
export function planFor(kind: string, catalogues: Catalogues): StagingPlan | null {
  const table = tableOf(kind);
  if (table === null) return null;
  const slots = slotsOf(kind);
  return {
    table: table.name,
    kind,
    sliced: table.sliced,
    slots,
    keySlot: table.key === null ? -1 : entryOf(slots, table.key),
    keyAs: table.keyAs,
    columns: tableColumns(table, catalogues, slots),
    withheld: (table.withheld ?? []).map(({ elements, unless, kinds, allows }) => ({
      elements,
      // Without a slot nothing allows the values.
      unlessSlot: kinds?.includes(kind) === false ? -1 : (slots.get(unless) ?? -1),
      allows,
    })),
  };
}

/**
 * All columns of a staged table. Every file of a table has all of them, so that DuckDB needs to read the schema of one
 * file only.
 */
export function tableColumns(
  table: StagedTable,
  catalogues: Catalogues,
  slots: ReadonlyMap<string, number> = new Map(),
): StagedColumn[] {
  const fields = new Map(table.kinds.flatMap((kind) => fieldsOf(kind).map((field) => [field.field, field] as const)));
  const column = (element: string, name: string, toKind: (field: RegisterField) => ColumnKind): StagedColumn => {
    const field = fields.get(element);
    if (field === undefined) throw new Error(`No file of ${table.name} has an element ${element}`);
    return {
      name,
      element,
      kind: toKind(field),
      slot: slots.get(element) ?? -1,
      notAvailableSlot: slots.get(`${element}_nv`) ?? slots.get(`${element}_Na`) ?? -1,
      repeatable: !field.personal && field.type !== 'number' && element !== table.key,
    };
  };
  const elements = new Set([...(table.key === null ? [] : [table.key]), ...table.elements]);
  return [
    ...[...elements].map((element) => column(element, element, (field) => storedAs(field, table, catalogues))),
    ...table.ids.map((element) => column(element, `${element}_id`, () => ({ as: 'integer' }))),
    ...(table.limits ?? []).map(({ element, limit, column: name }) =>
      column(element, name, () => ({ as: 'atLeast', limit })),
    ),
  ];
}

const DEGREES = new Set(['Laengengrad', 'Breitengrad']);

/** The largest longitude or latitude; the columns of the tables hold no larger number. */
const MAX_DEGREE = 180;

/**
 * The largest power station of the world has 22.5 GW, so a larger capacity is a typing error. Up to this limit, the sums
 * over 40 million units fit into DECIMAL(18,3) and its equivalent in ClickHouse.
 */
const MAX_POWER_KW = 25_000_000;

/** The largest plausible value by unit of measure. */
const MAX_VALUE: Readonly<Record<string, number>> = { kW: MAX_POWER_KW };

function storedAs(field: RegisterField, table: StagedTable, catalogues: Catalogues): ColumnKind {
  if (field.field === table.key) return { as: table.keyAs };
  switch (field.type) {
    case 'number':
      return { as: 'mastr' };
    case 'decimal':
      return DEGREES.has(field.field)
        ? { as: 'decimal', places: 6, largest: MAX_DEGREE }
        : { as: 'decimal', places: 3, largest: MAX_VALUE[field.unit] ?? Number.POSITIVE_INFINITY };
    case 'catalogue':
      return { as: 'label', labels: labelsOf(field.field, field.catalogue, catalogues) };
    case 'list':
      return field.catalogue === ''
        ? { as: 'list' }
        : { as: 'labels', labels: labelsOf(field.field, field.catalogue, catalogues) };
    default:
      return { as: field.type };
  }
}
