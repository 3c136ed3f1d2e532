import type { z } from 'zod';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import { fold } from '../../sql/query/fold.ts';
import { sqlFiles } from '../../sql/query/sql-files.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { firstAfterPrefix } from '../../sql/query/suche.ts';
import { isMastrNumber, plainSigns, unitNumberOf } from '../../sql/register/mastr-number.ts';
import type { NameSearch } from '../../sql/warehouse/search/names.ts';
import { unitsByNumber } from '../units/read.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { matchesAmong } from './among.ts';
import { actorsOfIndex, unitsOfIndex } from './by-index.ts';
import {
  type ActorMatch,
  actorMatch,
  type FoundUnit,
  foundUnit,
  type Hit,
  hitOfActor,
  hitOfUnit,
  type Match,
  nameMatch,
} from './hit.ts';

const ACTORS = sqlFiles(import.meta.url, 'actors');
const NAMES = sqlFiles(import.meta.url, 'names');

interface UnitMatch extends Match {
  readonly number: string;
}

export interface SearchRequest {
  /** The text that was typed, folded. */
  readonly term: string;
  /** The number that was typed, in capitals; null for any other text. */
  readonly number: string | null;
  readonly kinds: readonly Hit['typ'][];
  /** Null = all. */
  readonly states: readonly string[] | null;
  readonly carriers: readonly string[] | null;
  readonly limit: number;
  /** Numbers of the only units that are searched, as a portfolio has them; undefined = the whole register. */
  readonly among?: readonly string[] | undefined;
}

/** Finds the best hits, up to the limit; `truncated` says that there are more. */
export async function find(
  dataset: Dataset,
  request: SearchRequest,
  baseUrl: string,
  today: string,
): Promise<{ hits: Hit[]; truncated: boolean }> {
  const [actors, units] = await Promise.all([
    // Actors have no energy carrier, and are in no portfolio.
    request.kinds.includes('marktakteur') && request.carriers === null && request.among === undefined
      ? findActors(dataset, request)
      : [],
    request.kinds.includes('anlage') ? findUnits(dataset, request, today) : [],
  ]);
  const all = interleaved<ActorMatch | UnitMatch>(actors, units);
  const best = all.slice(0, request.limit);
  const numbers = best.flatMap((match) => ('number' in match ? match.number : []));
  const found = new Map((await unitsOf(dataset, numbers, today)).map((unit) => [unit.mastrNummer, unit]));
  const hits = best.map((match) => {
    if (!('number' in match)) return hitOfActor(match, baseUrl);
    const unit = found.get(match.number);
    if (unit === undefined) throw new Error(`The search tables name ${match.number}, which the row file does not have`);
    return hitOfUnit(unit, baseUrl);
  });
  return { hits, truncated: all.length > request.limit };
}

/**
 * Puts both kinds into one order: the better match first; of equal ones an actor, a unit, an actor …, each kind in its
 * own order, so that neither hides the other.
 */
function interleaved<Kind extends Match>(...kinds: readonly (readonly Kind[])[]): Kind[] {
  const ranked = kinds.flatMap((matches) =>
    matches.map((match, index) => ({
      match,
      turn: index - matches.findIndex(({ matchRank }) => matchRank === match.matchRank),
    })),
  );
  return ranked.sort((a, b) => a.match.matchRank - b.match.matchRank || a.turn - b.turn).map(({ match }) => match);
}

/** Returns what counts of a text that was typed. */
export function typedText(text: string): Pick<SearchRequest, 'number' | 'term'> {
  const number = text.trim().toUpperCase();
  return { term: fold(plainSigns(text)), number: isMastrNumber(number) ? number : null };
}

/** Values of an optional list: a flag says whether it counts, because ClickHouse has no list that is null. */
const optionalList = (whether: string, name: string, list: readonly string[] | null) => ({
  [whether]: list !== null,
  [name]: list ?? [],
});

/** Up to this rank a name begins with the text; such names are adjacent in the order of the table. */
const AT_THE_BEGINNING = 1;

/**
 * Returns the best rows of a statement. Names that begin with the text come before all others, except those of actors
 * without units, and they are adjacent: when there are enough of them, no other name is read.
 */
async function bestMatches<Row extends Match>(
  dataset: Dataset,
  shape: z.ZodType<Row>,
  texts: typeof NAMES,
  request: SearchRequest,
  values: WarehouseStatement['values'],
): Promise<Row[]> {
  const select = (onlyBeginnings: boolean) =>
    dataset.query(shape, {
      text: texts[dataset.dialects.units.name],
      values: {
        ...searchValues(request),
        ...values,
        ...optionalList('onlyStates', 'states', request.states),
        onlyBeginnings,
      },
    });
  const beginning = await select(true);
  const last = beginning[request.limit];
  return last !== undefined && last.matchRank <= AT_THE_BEGINNING ? beginning : select(false);
}

/**
 * The characters between words of a folded text: the signs of ASCII and Latin-1, and general punctuation. The class of all
 * characters but letters (\p{L}) would be complete, but the engine takes five milliseconds to prepare it.
 */
const BETWEEN_WORDS = ' -/:-@\\[-`{-\\x{bf}\\x{2000}-\\x{206f}';

/** The limit is one row more, which shows that there are more hits. */
function searchValues({ term, limit }: SearchRequest) {
  // Only signs of ASCII have a meaning in a pattern, and only they may be escaped.
  const literally = term.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
  return {
    term,
    afterTerm: firstAfterPrefix(term),
    wordStart: `(^|[${BETWEEN_WORDS}])${literally}`,
    limit: limit + 1,
  };
}

async function findActors(dataset: Dataset, request: SearchRequest): Promise<ActorMatch[]> {
  const { number } = request;
  // The index finds names alone.
  if (dataset.search !== null && number === null) return actorsOfIndex(dataset.search.actors, nameSearch(request));
  return bestMatches(dataset, actorMatch, ACTORS, request, { number });
}

async function findUnits(dataset: Dataset, request: SearchRequest, today: string): Promise<UnitMatch[]> {
  if (request.among !== undefined) return matchesAmong(await unitsOf(dataset, request.among, today), request);
  const rows = await findNames(dataset, request);
  const named = rows.map(({ matchRank, digits }) => ({ matchRank, number: unitNumberOf(digits) }));
  const { number } = request;
  if (number === null) return named;
  const [unit] = await unitsOf(dataset, [number], today);
  const among = (list: readonly string[] | null, value: string | null) =>
    list === null || (value !== null && list.includes(value));
  if (unit === undefined || !among(request.states, unit.bundesland) || !among(request.carriers, unit.einheitTyp)) {
    return named;
  }
  // The name of a unit may be its own number.
  return [{ matchRank: 0, number }, ...named.filter((match) => match.number !== number)];
}

async function findNames(dataset: Dataset, request: SearchRequest): Promise<z.infer<typeof nameMatch>[]> {
  if (dataset.search !== null) return unitsOfIndex(dataset.search.unitNames, nameSearch(request));
  return bestMatches(dataset, nameMatch, NAMES, request, optionalList('onlyCarriers', 'carriers', request.carriers));
}

/** The limit is one more, which shows that there are more hits. */
const nameSearch = ({ term, states, carriers, limit }: SearchRequest): NameSearch => ({
  text: term,
  states,
  carriers,
  limit: limit + 1,
});

const FIELDS = Object.keys(foundUnit.shape).map(fieldNamed);

async function unitsOf(dataset: Dataset, numbers: readonly string[], today: string): Promise<FoundUnit[]> {
  const rows = await unitsByNumber(dataset, numbers, FIELDS, today);
  return rows.map((row) => foundUnit.parse(row));
}
