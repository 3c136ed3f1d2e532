import { z } from 'zod';
import { BLOCKS, type UnitField } from '../../sql/catalogue/field.ts';
import { fieldNamed, READABLE_FIELDS, UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import type { Module } from '../../sql/org/rights.ts';
import { actorRow, actorsStatement } from '../../sql/query/actors.ts';
import type { SortKey } from '../../sql/query/keyset.ts';
import type { Caller } from '../access/caller.ts';
import { mustHaveModule } from '../access/rights.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import type { Notation } from '../wire/notation.ts';
import { fault } from '../wire/parameters.ts';
import { quoted } from '../wire/quoted.ts';
import type { UnitRow } from './read.ts';

/**
 * What of each unit an answer has, and in which order: the base form with the blocks of `include`, or the fields of `fields`;
 * `sort`; `expand`.
 */

/** The names that `fields` takes, including fields that this caller does not get. `links` is in every unit anyway. */
const NAMES = [...UNIT_FIELDS.filter(({ filterOnly }) => filterOnly === null).map(({ name }) => name), 'links'];

/** `fields`, in a notation. */
export const fieldNames = (notation: Notation): z.ZodType<readonly string[]> =>
  notation.list({ most: NAMES.length }).transform((names, context) => {
    for (const name of names.filter((name) => !NAMES.includes(name))) {
      const why = UNIT_FIELDS.some((field) => field.name === name)
        ? 'which can be filtered by but not read'
        : 'which is no field; GET /v1/units/fields lists them';
      context.issues.push(fault('UNKNOWN_FIELD', `has ${quoted(name)}, ${why}`, [], { name, among: NAMES }));
    }
    return names;
  });

/** `include`, in a notation. */
export const blockNames = (notation: Notation): z.ZodType<readonly string[]> => notation.list({ closed: BLOCKS });

interface FieldSelection {
  readonly fields?: readonly string[] | undefined;
  readonly include?: readonly string[] | undefined;
}

/** Returns every field that an organisation with these modules gets. */
export const grantedFields = (modules: ReadonlySet<Module>): UnitField[] =>
  READABLE_FIELDS.filter(({ module }) => module === null || modules.has(module));

/**
 * Returns the fields to show. Where `fields` is given, it alone selects them, but grants none.
 * @throws Problem MISSING_MODULE for a block that needs one
 */
export function chosenFields({ fields, include = [] }: FieldSelection, caller: Caller): UnitField[] {
  for (const block of include) {
    const module = UNIT_FIELDS.find((field) => field.block === block)?.module ?? null;
    if (module !== null) mustHaveModule(caller, module, `The block ${block}`);
  }
  return grantedFields(caller.organisation.modules).filter(({ name, block }) =>
    fields === undefined ? block === null || include.includes(block) : name === 'mastrNummer' || fields.includes(name),
  );
}

/** `sort=field:direction`, several separated by commas. */

export interface SortTerm {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

const SORTABLE = new Map(UNIT_FIELDS.filter((field) => field.sortable).map((field) => [field.name, field]));

const SORTABLE_NAMES = [...SORTABLE.keys()];

const UNIQUE_KEY = fieldNamed('mastrNummer');

/** Schema of the parameter in a notation: its terms, with each field at most once. */
export const sortTerms = (notation: Notation): z.ZodType<readonly SortTerm[]> =>
  notation.text().transform((raw, context) => {
    const terms: SortTerm[] = [];
    const parts = raw.split(',', SORTABLE_NAMES.length + 1);
    if (parts.length > SORTABLE_NAMES.length) {
      context.issues.push(
        fault('TOO_MANY_VALUES', `has more than ${SORTABLE_NAMES.length} terms; each field can be named once`),
      );
      return z.NEVER;
    }
    for (const part of parts) {
      const [field = '', direction, ...rest] = part.split(':');
      const isWellFormed = (direction === 'asc' || direction === 'desc') && rest.length === 0;
      const meant = isWellFormed ? null : meantTerm(part);
      if (meant !== null) {
        context.issues.push(fault('INVALID_PARAMETER', `has ${quoted(part)}; write ${meant}`));
      } else if (!SORTABLE.has(field)) {
        const detail = `names ${quoted(field)}; it takes ${SORTABLE_NAMES.join(', ')}`;
        context.issues.push(fault('NOT_SORTABLE', detail, [], { name: field, among: SORTABLE_NAMES }));
      } else if (!isWellFormed) {
        const detail = `has ${quoted(part)}; write ${field}:asc or ${field}:desc`;
        context.issues.push(fault('INVALID_PARAMETER', detail));
      } else if (terms.some((term) => term.field === field)) {
        context.issues.push(fault('INVALID_PARAMETER', `names ${field} twice`));
      } else {
        terms.push({ field, direction });
      }
    }
    return terms;
  });

/** Recognises the notations of other interfaces, and writes them in ours: `-x`, `+x`, `x desc`, `x.asc`. */
function meantTerm(part: string): string | null {
  const { sign, signed, field, direction } = FOREIGN_TERM.exec(part)?.groups ?? {};
  const name = signed ?? field;
  if (name === undefined || !SORTABLE.has(name)) return null;
  return `${name}:${sign === '-' || direction?.toLowerCase().startsWith('desc') ? 'desc' : 'asc'}`;
}

/** A sign before the field, or a direction behind it. A `+` in a query is a blank. */
const FOREIGN_TERM = /^(?:(?<sign>[-+ ])(?<signed>\w+)|(?<field>\w+)[ .:+]+(?<direction>asc|desc)(?:ending)?)$/i;

/** Writes terms as text. */
export const writtenSort = (terms: readonly SortTerm[]): string =>
  terms.map(({ field, direction }) => `${field}:${direction}`).join(',');

/** Returns the sort keys of a list. They end with mastrNummer, so that no two units tie. */
export function sortKeys(terms: readonly SortTerm[]): SortKey[] {
  const keys = terms.map(({ field, direction }) => ({ field: fieldNamed(field), direction }));
  return keys.some(({ field }) => field === UNIQUE_KEY) ? keys : [...keys, { field: UNIQUE_KEY, direction: 'asc' }];
}

/** `expand` adds the market actors that a unit refers to, under `expanded`. Their own references are not followed. */

const REFERENCES = {
  marktakteur: fieldNamed('betreiberMastrNummer'),
  netzbetreiber: fieldNamed('netzbetreiberMastrNummer'),
} as const;

type Expansion = keyof typeof REFERENCES;

export const EXPANSIONS = Object.keys(REFERENCES) as Expansion[];

const actor = z
  .strictObject({
    mastrNummer: z.string(),
    name: z.string().nullable(),
    marktfunktion: z.string().nullable(),
    bundesland: z.string().nullable(),
    ort: z.string().nullable(),
    anlagenAnzahl: z.int().describe('Served units that name it as their operator'),
  })
  .meta({ id: 'MarketActor' });

export const expandedShape = z.strictObject({
  marktakteur: actor.nullable().optional().describe('The operator; null for natural persons'),
  netzbetreiber: actor.nullable().optional().describe('The grid operator'),
});

type Expanded = z.infer<typeof expandedShape>;

/** The fields that hold the references. */
export const referenceFields = (expansions: readonly string[]) =>
  (expansions as readonly Expansion[]).map((expansion) => REFERENCES[expansion]);

/** Reads the actors of a page. @returns `expanded` of a row, with null when a reference leads to no served actor */
export async function expandedActors(
  expansions: readonly string[],
  rows: readonly UnitRow[],
  dataset: Dataset,
): Promise<(row: UnitRow) => { expanded?: Expanded }> {
  if (expansions.length === 0) return () => ({});
  const chosen = expansions as readonly Expansion[];
  const numberIn = (row: UnitRow, expansion: Expansion) => row[REFERENCES[expansion].name] as string | null;
  const numbers = new Set(rows.flatMap((row) => chosen.flatMap((expansion) => numberIn(row, expansion) ?? [])));
  const found =
    numbers.size === 0
      ? []
      : await dataset.query(actorRow, actorsStatement([...numbers].sort(), dataset.dialects.units));
  const actors = new Map(found.map((row) => [row.mastrNummer, row]));
  return (row) => ({
    expanded: Object.fromEntries(
      chosen.map((expansion) => [expansion, actors.get(numberIn(row, expansion) ?? '') ?? null]),
    ),
  });
}
