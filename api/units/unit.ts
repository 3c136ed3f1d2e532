import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { described, type Kind, type UnitField } from '../../sql/catalogue/field.ts';
import { SIGNAL_IDS, signalsIn } from '../../sql/catalogue/signals.ts';
import { UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import type { Settings } from '../../sql/settings.ts';
import type { Caller } from '../access/caller.ts';

/** The two forms of a unit, derived from the catalogue: which fields they have, and how a row becomes one. */

const READABLE = UNIT_FIELDS.filter((field) => field.filterOnly === null && !field.pending);

export const LIST_FIELDS: readonly UnitField[] = READABLE.filter((field) => field.block === null);

/** The list form and every block. */
export const DETAIL_FIELDS: readonly UnitField[] = READABLE;

/** A unit as the warehouse gives it: field names to JSON values. */
export type UnitRow = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** The unit as it goes out: the fields of the form, the signals that apply, and the ways on from it. */
export function unitFrom(row: UnitRow, fields: readonly UnitField[], caller: Caller, settings: Settings) {
  const values = fields.map(({ name, kind }) => [
    name,
    kind === 'signals' ? entitledSignals(Number(row[name]), caller) : (row[name] ?? null),
  ]);
  return { ...Object.fromEntries(values), links: linksOf(row, settings) };
}

/** Of the signals that apply, those that the organisation is entitled to. */
const entitledSignals = (mask: number, { organisation }: Caller): string[] =>
  signalsIn(mask).filter((id) => organisation.signals.has(id));

/** The link to the map is absent where the unit has no coordinates. */
function linksOf(row: UnitRow, { BASE_URL, APP_URL }: Settings) {
  const number = row.mastrNummer;
  return {
    self: `${BASE_URL}/v1/units/${number}`,
    app: `${APP_URL}/units/${number}`,
    ...(typeof row.latitude === 'number' && typeof row.longitude === 'number'
      ? { map: `${APP_URL}/map?unit=${number}` }
      : {}),
  };
}

/** JSON type of a kind of value, as the field catalogue and the schemas name it. */
export const JSON_TYPES: Record<Kind, 'string' | 'number' | 'boolean' | 'array'> = {
  number: 'string',
  text: 'string',
  label: 'string',
  decimal: 'number',
  degree: 'number',
  integer: 'number',
  boolean: 'boolean',
  day: 'string',
  time: 'string',
  list: 'array',
  signals: 'array',
};

function valueSchema(field: UnitField): z.ZodType {
  if (field.name === 'mastrNummer') return z.string();
  if (field.name === 'einheitTyp') return z.enum(CARRIERS);
  if (field.kind === 'signals') return z.array(z.enum(SIGNAL_IDS));
  switch (JSON_TYPES[field.kind]) {
    case 'number':
      return z.number().nullable();
    case 'boolean':
      return z.boolean().nullable();
    case 'array':
      return z.array(z.string()).nullable();
    case 'string':
      return field.kind === 'day' ? z.iso.date().nullable() : z.string().nullable();
  }
}

/** Schema of a unit with these fields. */
export const unitShape = (fields: readonly UnitField[]) =>
  z.strictObject({
    ...Object.fromEntries(fields.map((field) => [field.name, valueSchema(field).describe(described(field))])),
    links: z.strictObject({ self: z.url(), app: z.url(), map: z.url().optional() }),
  });
