import { z } from 'zod';
import type { Settings } from '../../runtime/settings.ts';
import { anomaliesIn, RULE_IDS } from '../../sql/catalogue/anomalies.ts';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { describedInEnglish } from '../../sql/catalogue/english.ts';
import type { Kind, UnitField } from '../../sql/catalogue/field.ts';
import { SEVERITIES } from '../../sql/catalogue/rule.ts';
import { SIGNAL_IDS, type SignalId, signalsIn } from '../../sql/catalogue/signals.ts';
import { fieldNamed, READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { awardOfUnit } from '../tenders/award-of-unit.ts';
import type { UnitRow } from './read.ts';
import { expandedShape } from './selection.ts';

/** The forms of a unit in answers, derived from the catalogue. */

/** Links are made from these fields. */
export const LINK_FIELDS: readonly UnitField[] = ['mastrNummer', 'latitude', 'longitude'].map(fieldNamed);

/**
 * Makes the unit of an answer from a row: its fields, the signals that apply, and its links.
 * @param signals those that may be shown
 */
export function unitFrom(
  row: UnitRow,
  fields: readonly UnitField[],
  signals: ReadonlySet<SignalId>,
  settings: Pick<Settings, 'APP_URL' | 'BASE_URL'>,
) {
  const unit: Record<string, unknown> = {};
  for (const { name, kind } of fields) {
    unit[name] = shownValue(row[name] ?? null, kind, signals);
  }
  if (row.geloescht === true) unit.geloescht = true;
  unit.links = linksOf(row, settings);
  return unit;
}

/** Returns the value of an answer: of bit masks what they stand for, of signals those that may be shown. */
export function shownValue(value: UnitRow[string], kind: Kind, signals: ReadonlySet<SignalId>): unknown {
  switch (kind) {
    case 'signals':
      return signalsIn(Number(value)).filter((id) => signals.has(id));
    case 'anomalies':
      return anomaliesIn(Number(value));
    default:
      return value;
  }
}

/** The link to the map is absent when the unit has no coordinates. */
function linksOf(row: UnitRow, { BASE_URL, APP_URL }: Pick<Settings, 'APP_URL' | 'BASE_URL'>) {
  const number = row.mastrNummer;
  const hasPlace = typeof row.latitude === 'number' && typeof row.longitude === 'number';
  return {
    self: `${BASE_URL}/v1/units/${number}`,
    app: `${APP_URL}/einheiten/${number}`,
    ...(hasPlace ? { map: `${APP_URL}/karte?einheit=${number}` } : {}),
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
  objects: 'array',
  carriers: 'array',
  signals: 'array',
  anomalies: 'array',
};

const anomaly = z
  .strictObject({
    regel: z.enum(RULE_IDS),
    felder: z.array(z.string()).describe('The fields that the rule compares'),
    schwere: z.enum(SEVERITIES),
    hinweis: z.string().describe('What is conspicuous'),
    note: z.string().describe('`hinweis` in English'),
  })
  .meta({ id: 'Anomaly' });

const proposal = z
  .strictObject({
    feld: z.string().describe('The field whose value it would replace'),
    wert: z.union([z.number(), z.string()]).describe('A number, or a key'),
    regel: z.enum(RULE_IDS),
    begruendung: z.string(),
    reason: z.string().optional().describe('`begruendung` in English; absent in versions of earlier releases'),
  })
  .meta({ id: 'Proposal' });

function valueSchema(field: UnitField): z.ZodType {
  if (field.name === 'mastrNummer') return z.string();
  if (field.name === 'einheitTyp') return z.enum(CARRIERS);
  if (field.kind === 'signals') return z.array(z.enum(SIGNAL_IDS));
  if (field.kind === 'carriers') return z.array(z.enum(CARRIERS)).nullable();
  if (field.kind === 'anomalies') return z.array(anomaly);
  if (field.name === 'vorschlag') return z.array(proposal).nullable();
  if (field.kind === 'objects') return z.array(awardOfUnit).nullable();
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

const valueShapes = (fields: readonly UnitField[]): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map((field) => [field.name, valueSchema(field).describe(describedInEnglish(field))]));

const geloescht = z
  .literal(true)
  .optional()
  .describe('In deltas: the unit is no longer in the list, so a mirror drops it; absent otherwise');

const links = z.strictObject({
  self: z.url(),
  app: z.url().describe('The page of the unit'),
  map: z.url().optional().describe('The map around the unit; absent when it has no coordinates'),
});

/** Fields of a module are absent for organisations that have not booked it. */
const isForAll = ({ module }: UnitField): boolean => module === null;

/** A unit with every field that the organisation gets. */
export const wholeUnit = z.strictObject({
  ...valueShapes(READABLE_FIELDS.filter(isForAll)),
  ...z.strictObject(valueShapes(READABLE_FIELDS.filter((field) => !isForAll(field)))).partial().shape,
  betreiber: z.string().nullable(),
  links,
});

/** A unit with chosen fields, of which only its number is always present. */
const chosenUnit = (fields: readonly UnitField[]) =>
  z
    .strictObject(valueShapes(fields))
    .partial()
    .extend({ mastrNummer: z.string(), geloescht, expanded: expandedShape.optional(), links });

export const listedUnit = chosenUnit(READABLE_FIELDS).meta({ id: 'Unit' });

/** The same as properties of a GeoJSON feature, whose geometry holds the coordinates. */
export const unitProperties = chosenUnit(
  READABLE_FIELDS.filter(({ name }) => name !== 'latitude' && name !== 'longitude'),
);
