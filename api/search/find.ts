import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import { fold } from '../../sql/query/fold.ts';
import { firstAfterPrefix } from '../../sql/query/prefix.ts';
import { sqlFiles } from '../../sql/query/sql-files.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { numberOf } from '../../sql/warehouse/rows/layout.ts';
import { unitsByNumber } from '../units/read.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { type ActorMatch, type FoundUnit, type Hit, hitOfActor, hitOfUnit, type Match } from './hit.ts';

const ACTORS = sqlFiles(import.meta.url, 'actors');
const NAMES = sqlFiles(import.meta.url, 'names');

/** A unit that was found, and how well. */
interface UnitMatch extends Match {
  readonly number: string;
}

export interface SearchRequest {
  /** What is searched for, as it was typed. */
  readonly text: string;
  readonly kinds: readonly Hit['typ'][];
  /** Null = all. */
  readonly states: readonly string[] | null;
  readonly carriers: readonly string[] | null;
  readonly limit: number;
}

/** The best hits, up to the limit, and whether there are more. */
export async function find(
  dataset: Dataset,
  request: SearchRequest,
  baseUrl: string,
  today: string,
): Promise<{ hits: Hit[]; truncated: boolean }> {
  const [actors, units] = await Promise.all([
    // Actors have no energy carrier.
    request.kinds.includes('marktakteur') && request.carriers === null ? findActors(dataset, request) : [],
    request.kinds.includes('anlage') ? findUnits(dataset, request, today) : [],
  ]);
  const all = interleaved<ActorMatch | UnitMatch>(actors, units);
  const best = all.slice(0, request.limit);
  const numbers = best.flatMap((match) => ('number' in match ? match.number : []));
  const found = (await unitsOf(dataset, numbers, today)).values();
  const hits = best.map((match) =>
    'number' in match ? hitOfUnit(found.next().value!, baseUrl) : hitOfActor(match, baseUrl),
  );
  return { hits, truncated: all.length > request.limit };
}

/**
 * Both kinds in one order: the better match first; of equal ones an actor, a unit, an actor …, each kind in its own
 * order, so that neither hides the other.
 */
function interleaved<Kind extends Match>(...kinds: readonly (readonly Kind[])[]): Kind[] {
  const placed = kinds.flatMap((matches) =>
    matches.map((match, place) => ({ match, turn: place - matches.findIndex(({ guete }) => guete === match.guete) })),
  );
  return placed.sort((a, b) => a.match.guete - b.match.guete || a.turn - b.turn).map(({ match }) => match);
}

const MASTR_NUMBER = /^[A-Z]{3}[0-9]{12}$/;

/** The number that was typed, in capitals; null for anything else. */
function numberIn(text: string): string | null {
  const number = text.trim().toUpperCase();
  return MASTR_NUMBER.test(number) ? number : null;
}

/** A list that narrows a search, and whether it does: one engine knows no list that is null. */
const optionalList = (whether: string, name: string, list: readonly string[] | null) => ({
  [whether]: list !== null,
  [name]: list ?? [],
});

/** Matches up to this one lie together in the order of names: those that begin with the text. */
const AT_THE_BEGINNING = 1;

/**
 * The best rows of a statement. Names that begin with the text come before all others, but for those of actors without
 * assets, and they lie together: where there are enough of them, nothing else is looked at.
 */
async function bestMatches<Row extends Match>(
  dataset: Dataset,
  texts: typeof NAMES,
  request: SearchRequest,
  values: WarehouseStatement['values'],
): Promise<Row[]> {
  const ask = (nurAnfang: boolean) =>
    dataset.query<Row>({
      text: texts[dataset.dialects.units.name],
      values: {
        ...searchValues(request),
        ...values,
        ...optionalList('nurLaender', 'laender', request.states),
        nurAnfang,
      },
    });
  const beginning = await ask(true);
  const last = beginning[request.limit];
  return last !== undefined && last.guete <= AT_THE_BEGINNING ? beginning : ask(false);
}

/**
 * What stands between words in a folded text: the signs of ASCII and Latin-1, and general punctuation. Everything that is
 * no letter (\p{L}) would be more, but takes the engine five milliseconds to prepare.
 */
const BETWEEN_WORDS = ' -/:-@\\[-`{-\\x{bf}\\x{2000}-\\x{206f}';

/** What the statements look for; one row more than the limit shows whether there are more. */
function searchValues({ text, limit }: SearchRequest) {
  const gesucht = fold(text);
  // Only signs of ASCII mean something in a pattern, and only those may be escaped.
  const literally = gesucht.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
  return {
    gesucht,
    danach: firstAfterPrefix(gesucht),
    wortanfang: `(^|[${BETWEEN_WORDS}])${literally}`,
    hoechstens: limit + 1,
  };
}

async function findActors(dataset: Dataset, request: SearchRequest): Promise<ActorMatch[]> {
  const nummer = numberIn(request.text);
  return bestMatches<ActorMatch>(dataset, ACTORS, request, { nummer });
}

async function findUnits(dataset: Dataset, request: SearchRequest, today: string): Promise<UnitMatch[]> {
  const values = optionalList('nurTraeger', 'traeger', request.carriers);
  const rows = await bestMatches<{ guete: number; digits: number }>(dataset, NAMES, request, values);
  const named = rows.map(({ guete, digits }) => ({ guete, number: numberOf(digits) }));
  const number = numberIn(request.text);
  if (number === null) return named;
  const [unit] = await unitsOf(dataset, [number], today);
  const among = (list: readonly string[] | null, value: string | null) =>
    list === null || (value !== null && list.includes(value));
  if (unit === undefined || !among(request.states, unit.bundesland) || !among(request.carriers, unit.einheitTyp)) {
    return named;
  }
  // A unit may be called by its own number.
  return [{ guete: 0, number }, ...named.filter((match) => match.number !== number)];
}

/** What a hit tells of a unit. */
const FIELDS = [
  'mastrNummer',
  'name',
  'betreiberName',
  'ort',
  'bundesland',
  'latitude',
  'longitude',
  'einheitTyp',
  'bruttoleistungKw',
].map(fieldNamed);

const unitsOf = (dataset: Dataset, numbers: readonly string[], today: string) =>
  unitsByNumber(dataset, numbers, FIELDS, today) as unknown as Promise<FoundUnit[]>;
