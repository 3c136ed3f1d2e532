import { z } from 'zod';
import { withoutSecrets } from '../../sql/org/api-key.ts';
import { MAX_ROWS_PER_QUERY } from '../../sql/org/callers.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { Dialect } from '../../sql/query/dialect.ts';
import { fold } from '../../sql/query/fold.ts';
import { OPERATOR_NUMBERS, operatorNumberRow } from '../../sql/query/grid.ts';
import { KEY_DIGITS, partsOf, placeSql } from '../../sql/query/places.ts';
import { REFERENCE_SETS, type ReferenceSet } from '../../sql/query/reference-sets.ts';
import { similarValueRow, similarValuesStatement } from '../../sql/query/similar-values.ts';
import { type Binder, binder, type WarehouseStatement } from '../../sql/query/statement.ts';
import { isMastrNumber } from '../../sql/register/mastr-number.ts';
import { STATE_NAMES } from '../../sql/register/states.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { nearest } from '../wire/nearest.ts';

/**
 * Says which values of a question no unit has, and what was probably meant: a value of an open list that is misspelt is no
 * error, since another export may have it, but finds nothing.
 */

const hint = z
  .strictObject({
    parameter: z.string().describe('The parameter that the hint is about'),
    wert: z.string().describe('Its value'),
    hinweis: z.string().describe('What was probably meant, where the values are listed, or how to go on'),
    vorschlag: z.string().optional().describe('The value that was probably meant; absent = none is near'),
  })
  .meta({ id: 'Hint' });

export type Hint = z.infer<typeof hint>;

/** The member of `meta`; absent when there is nothing to say. */
export const hintsShape = {
  hinweise: z
    .array(hint)
    .optional()
    .describe('Values of filters that no unit has; on a list that ends at its ceiling, how to go on'),
};

/**
 * Says how to read the units that a list has not delivered.
 * @param total units that the question has
 * @param dumps address of the dumps; null for a caller who may not read them
 */
export function ceilingHint(total: number, isDelta: boolean, dumps: string | null): Hint {
  const whole =
    dumps === null ? 'or ask the operator for the dump of all units' : `or take the dump of all units: ${dumps}`;
  const narrower = isDelta
    ? 'ask for what has changed more often, or by narrower filters, each with a token of its own'
    : 'ask by narrower filters, such as each landkreis; the totals of the parts must add up to this one, since units without a value are in none';
  return {
    parameter: 'limit',
    wert: String(MAX_ROWS_PER_QUERY),
    hinweis: `The list ends after ${MAX_ROWS_PER_QUERY} of ${total} units: ${narrower}, ${whole}`,
  };
}

/** Values that a question asks for in a set whose values nobody can list in advance. */
export interface OpenValues {
  /** The name by which the caller sent them. */
  readonly parameter: string;
  readonly set: ReferenceSet;
  readonly values: readonly string[];
}

/** Returns the values of open lists among conditions. */
export function openValues(conditions: readonly Condition[]): OpenValues[] {
  return conditions.flatMap(({ field, filter, value }) => {
    const set = REFERENCE_SETS.get(filter.name);
    if (set === undefined || field.values !== null) return [];
    return [{ parameter: filter.name, set, values: Array.isArray(value) ? (value as string[]) : [String(value)] }];
  });
}

/** Each may need a search among all values of its set. */
const MAX_HINTS = 5;

/**
 * Returns `hinweise` for the meta of an answer. An answer with units proves single values; only longer lists can hide one.
 * @param isEmpty true when no unit was found
 */
export async function hintsOf(
  asked: readonly OpenValues[],
  isEmpty: boolean,
  dataset: VersionReader,
): Promise<{ hinweise?: Hint[] }> {
  const hinweise: Hint[] = [];
  for (const one of asked.filter(({ values }) => isEmpty || values.length > 1)) {
    for (const wert of await unknownValues(one, dataset)) {
      if (hinweise.length === MAX_HINTS) return { hinweise };
      // A value may be a key that was sent in the wrong place.
      const shown = withoutSecrets(wert);
      hinweise.push({ parameter: one.parameter, wert: shown, ...(await advice(one, shown, dataset)) });
    }
  }
  return hinweise.length === 0 ? {} : { hinweise };
}

/** The values that no unit has. How many there are is cached with the version, and mostly none. */
async function unknownValues({ set, values }: OpenValues, dataset: VersionReader): Promise<readonly string[]> {
  const known = await dataset.total(knownStatement(set, values, dataset.dialects.units));
  if (known >= values.length) return [];
  if (values.length === 1) return values;
  const rows = await dataset.query(knownRow, knownValuesStatement(set, values, dataset.dialects.units));
  const found = new Set(rows.map(({ wert }) => wert));
  return values.filter((value) => !found.has(value));
}

const knownRow = z.strictObject({ wert: z.string() });

/** Counts the values that occur, as `total`; of places and prefixes, of which a question has one, 1 or 0. */
function knownStatement(set: ReferenceSet, values: readonly string[], dialect: Dialect): WarehouseStatement {
  const bound = binder();
  const from =
    set.places === null
      ? `referenzwerte WHERE ${isKnown(set, values, dialect, bound)}`
      : `regionen WHERE ${placeSql({ level: set.places, text: values[0] ?? '' }, 'regionen', dialect, bound)}`;
  const count = isPrefix(set) || set.places !== null ? 'count(*) > 0' : 'count(DISTINCT wert)';
  return { text: `SELECT CAST(${count} AS DOUBLE) AS total FROM ${from}`, values: bound.values };
}

function knownValuesStatement(set: ReferenceSet, values: readonly string[], dialect: Dialect): WarehouseStatement {
  const bound = binder();
  const where = isKnown(set, values, dialect, bound);
  return { text: `SELECT DISTINCT wert FROM referenzwerte WHERE ${where}`, values: bound.values };
}

function isKnown({ name, ...set }: ReferenceSet, values: readonly string[], dialect: Dialect, bound: Binder): string {
  const [first = ''] = values;
  const matches = isPrefix({ name, ...set })
    ? dialect.startsWith('wert', first, bound)
    : dialect.isOneOf('wert', bound.bind(values));
  return `filter = ${bound.bind(name)} AND ${matches}`;
}

const isPrefix = ({ name, field }: ReferenceSet): boolean =>
  field.filters.some((filter) => filter.name === name && filter.compare === 'prefix');

async function advice(
  { parameter, set }: OpenValues,
  wert: string,
  dataset: VersionReader,
): Promise<Pick<Hint, 'hinweis' | 'vorschlag'>> {
  const sent = JSON.stringify(wert);
  const several = isSeveral(set, wert)
    ? parameter === 'region'
      ? ': a comma is part of a name, so send region once for each place'
      : `: it takes one ${set.places === null ? 'value' : 'place'}, so ask once for each`
    : '';
  if (isPrefix(set)) return { hinweis: `No unit has a ${set.name} that begins with ${sent}${several}` };
  if (set.name === 'netzbetreiber' && isMastrNumber(wert.toUpperCase())) return adviceOnNumber(wert, dataset);
  const wrongKey = sentenceOnKey(set, wert);
  if (wrongKey !== null) return { hinweis: wrongKey };
  if (several !== '') return { hinweis: `No unit has the ${set.name} ${sent}${several}` };
  const missing = `No unit has the ${set.name} ${sent}`;
  const meant = await meantValue(set, wert, dataset);
  if (meant !== null) return { hinweis: `${missing}; did you mean ${JSON.stringify(meant)}?`, vorschlag: meant };
  const list = `GET /v1/reference/${set.name}`;
  return { hinweis: `${missing}; ${set.kind === 'searchable' ? `${list}?q=… searches` : `${list} lists`} the values` };
}

/** Operators are asked by name; a number that one of them has leads to it. */
async function adviceOnNumber(wert: string, { kept }: VersionReader): Promise<Pick<Hint, 'hinweis' | 'vorschlag'>> {
  const operators = await kept(operatorNumberRow, OPERATOR_NUMBERS);
  const name = operators.find(({ number }) => number === wert.toUpperCase())?.name;
  return name === undefined
    ? {
        hinweis: `No unit has a grid operator of the number ${wert}; GET /v1/netz/netzbetreiber?q=… finds operators by name or number`,
      }
    : { hinweis: `netzbetreiber takes names; ${wert} is the number of ${JSON.stringify(name)}`, vorschlag: name };
}

/** A number is no misspelt name: the nearest key would be another place. */
function sentenceOnKey({ places, name }: ReferenceSet, wert: string): string | null {
  if (places === null || !/^[0-9]+$/.test(wert)) return null;
  const digits = KEY_DIGITS[places];
  return wert.length === digits
    ? `No unit has the official key ${wert}; GET /v1/reference/${name}?q=… finds places by name or key`
    : `The official key of a ${name} has ${digits} digits`;
}

/**
 * Says whether several values were written as lists are elsewhere, where one is taken. Neither states nor postal codes have a
 * comma; in a place it belongs to a name with its state.
 */
function isSeveral(set: ReferenceSet, wert: string): boolean {
  if (wert.includes(';') && (set.places !== null || hasNoComma(set))) return true;
  if (set.places === null) return hasNoComma(set) && wert.includes(',');
  const last = wert.slice(wert.lastIndexOf(',') + 1);
  return last !== wert && nearest(fold(last), Object.values(STATE_NAMES).map(fold)) === null;
}

const hasNoComma = (set: ReferenceSet): boolean => isPrefix(set) || set.name === 'bundesland';

/** The value that was probably meant; of a place in a state, the name alone when that is what no place of the state has. */
async function meantValue(set: ReferenceSet, wert: string, dataset: VersionReader): Promise<string | null> {
  const near = await nearestValue(set, wert, dataset);
  if (near !== null || set.places === null) return near;
  const parts = partsOf({ level: set.places, text: wert });
  return 'key' in parts || parts.inState === null ? null : nearestValue(set, parts.inState.name, dataset);
}

async function nearestValue(set: ReferenceSet, text: string, dataset: VersionReader): Promise<string | null> {
  const { projections } = dataset.dialects;
  if (set.places !== null && projections.places === 'names') return null;
  const candidates = await dataset.query(similarValueRow, similarValuesStatement(set, text, projections));
  const found = nearest(
    fold(text),
    candidates.map(({ folded }) => folded),
  );
  return candidates.find(({ folded }) => folded === found)?.value ?? null;
}
