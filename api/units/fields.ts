import { z } from 'zod';
import { meaningInEnglish, noteInEnglish } from '../../sql/catalogue/english.ts';
import type { UnitField } from '../../sql/catalogue/field.ts';
import { UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { operation } from '../operation/operation.ts';
import { booleanParameter } from '../wire/parameters.ts';
import { JSON_TYPES } from './unit.ts';

const catalogField = z
  .strictObject({
    name: z.string(),
    typ: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']),
    beschreibung: z.string(),
    einheit: z.string().nullable(),
    werte: z.array(z.string()).nullable(),
    lesbar: z.boolean(),
    filterbar: z.boolean(),
    sortierbar: z.boolean(),
    summierbar: z
      .boolean()
      .describe('Whether values of units may be added up; a value that several units of a plant have may not'),
    filter: z.array(z.string()),
    block: z.string().nullable(),
    modul: z.string().nullable(),
    verfuegbar: z.boolean(),
    personenbezug: z.string(),
    hinweis: z.string().nullable(),
    description: z.string().describe('`beschreibung` in English'),
    note: z.string().nullable().describe('`hinweis` in English'),
  })
  .meta({ id: 'CatalogField' });

type CatalogField = z.infer<typeof catalogField>;

/** An entry without the property that differs between keys. */
type Entry = Omit<CatalogField, 'verfuegbar'>;

const catalogEntry = (field: UnitField): Entry => ({
  name: field.name,
  typ: JSON_TYPES[field.kind],
  beschreibung: field.meaning,
  einheit: field.unit,
  werte: field.values === null ? null : [...field.values],
  lesbar: field.filterOnly === null,
  filterbar: field.filters.length > 0,
  sortierbar: field.sortable,
  summierbar: field.additive,
  filter: field.filters.map(({ name }) => name),
  block: field.block,
  modul: field.module,
  personenbezug: field.privacy,
  hinweis: field.filterOnly ?? field.hint,
  description: meaningInEnglish(field.name),
  note: noteInEnglish(field),
});

/** Links are computed for each answer and are no field of the catalogue. */
const LINKS: Entry = {
  name: 'links',
  typ: 'object',
  beschreibung: 'Wege zurück in die Anwendung; map fehlt ohne Koordinaten',
  einheit: null,
  werte: null,
  lesbar: true,
  filterbar: false,
  sortierbar: false,
  summierbar: false,
  filter: [],
  block: null,
  modul: null,
  personenbezug: 'none',
  hinweis: null,
  description: 'Ways back into the application; map is missing without coordinates',
  note: null,
};

const byName = new Intl.Collator('de').compare;

const CATALOG: readonly Entry[] = [...UNIT_FIELDS.map(catalogEntry), LINKS].sort((a, b) => byName(a.name, b.name));

/** Every field of a unit, with its type, block, filters and availability for the caller. */
export const listUnitFields = operation({
  id: 'units.fields',
  method: 'GET',
  path: '/v1/units/fields',
  summary: 'Field catalogue',
  access: 'api',
  shared: true,
  scope: 'units:read',
  cost: 'cheap',
  source: 'release',
  query: z.strictObject({
    nurVerfuegbare: booleanParameter().optional().describe('Only fields that this caller gets'),
  }),
  answer: z.strictObject({
    data: z.array(catalogField),
    meta: z.strictObject({ count: z.int(), module: z.array(z.string()), gesperrt: z.int() }),
  }),
  async handle({ query, caller }) {
    const { modules } = caller.organisation;
    const isBooked = ({ modul }: Entry) => modul === null || (modules as ReadonlySet<string>).has(modul);
    const all = CATALOG.map((entry) => ({ ...entry, verfuegbar: isBooked(entry) }));
    const data = all.filter(({ verfuegbar }) => verfuegbar || query.nurVerfuegbare !== true);
    const gesperrt = CATALOG.filter((entry) => !isBooked(entry)).length;
    return { body: { data, meta: { count: data.length, module: [...modules].sort(), gesperrt } } };
  },
});
