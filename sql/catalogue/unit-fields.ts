import { BASE_FIELDS } from './base-fields.ts';
import type { ElementExpression } from './expression.ts';
import type { Filter, UnitField } from './field.ts';
import { QUALITY_FIELDS } from './quality-fields.ts';
import { STORAGE_FIELDS } from './storage-fields.ts';
import { TECHNICAL_FIELDS } from './technical-fields.ts';
import { TENDER_FIELDS } from './tender-fields.ts';

/**
 * The catalogue of unit fields: each is described once, and validation, SQL, filters, GET /v1/units/fields, the detail
 * form and the documentation are derived from here. Sources: interface.md "Unit", decisions "Register", and the
 * format reference of the export, section 7.
 */
export const UNIT_FIELDS: readonly UnitField[] = [
  ...BASE_FIELDS,
  ...TECHNICAL_FIELDS,
  ...STORAGE_FIELDS,
  ...TENDER_FIELDS,
  ...QUALITY_FIELDS,
];

/** Every field that a unit can carry, if the organisation has booked its module. */
export const READABLE_FIELDS: readonly UnitField[] = UNIT_FIELDS.filter(({ filterOnly }) => filterOnly === null);

/** The fields that have a column in `units`, in the order of that table. */
export const STORED_FIELDS = UNIT_FIELDS.filter(
  (field): field is UnitField & { source: ElementExpression } => field.source !== null,
);

/** Every filter parameter with the field it looks at. */
export const UNIT_FILTERS: ReadonlyMap<string, { field: UnitField; filter: Filter }> = new Map(
  UNIT_FIELDS.flatMap((field) => field.filters.map((filter) => [filter.name, { field, filter }] as const)),
);

/** @throws Error for a name that the catalogue does not have */
export function fieldNamed(name: string): UnitField {
  const field = UNIT_FIELDS.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`The catalogue has no field ${name}`);
  return field;
}
