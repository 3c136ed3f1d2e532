import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import { fold } from '../../sql/query/fold.ts';
import { firstAfterPrefix } from '../../sql/query/prefix.ts';
import { type Statement, sqlFiles } from '../../sql/query/statement.ts';
import { isMastrNumber, unitNumberOf } from '../../sql/register/mastr-number.ts';
import { unitsNamed } from '../units/read.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { type ActorFound, type Hit, hitOfActor, hitOfUnit, type Matched, type UnitFound } from './hit.ts';

const ACTORS = sqlFiles(import.meta.url, 'actors');
const NAMES = sqlFiles(import.meta.url, 'names');

/** A unit that was found, and how well. */
interface UnitMatch extends Matched {
  readonly number: string;
}

export interface Wanted {
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
  wanted: Wanted,
  baseUrl: string,
  today: string,
): Promise<{ hits: Hit[]; truncated: boolean }> {
  const [actors, units] = await Promise.all([
    // Actors have no energy carrier.
    wanted.kinds.includes('marktakteur') && wanted.carriers === null ? findActors(dataset, wanted) : [],
    wanted.kinds.includes('anlage') ? findUnits(dataset, wanted, today) : [],
  ]);
  const all = inTurns<ActorFound | UnitMatch>(actors, units);
  const best = all.slice(0, wanted.limit);
  const numbers = best.flatMap((match) => ('number' in match ? match.number : []));
  const found = (await unitsOf(dataset, numbers, today)).values();
  const hits = best.map((match) =>
    'number' in match ? hitOfUnit(found.next().value!, baseUrl) : hitOfActor(match, baseUrl),
  );
  return { hits, truncated: all.length > wanted.limit };
}

/**
 * Both kinds in one order: the better match first; of equal ones an actor, a unit, an actor …, each kind in its own
 * order, so that neither hides the other.
 */
function inTurns<Match extends Matched>(...kinds: readonly (readonly Match[])[]): Match[] {
  const placed = kinds.flatMap((matches) =>
    matches.map((match, place) => ({ match, turn: place - matches.findIndex(({ guete }) => guete === match.guete) })),
  );
  return placed.sort((a, b) => a.match.guete - b.match.guete || a.turn - b.turn).map(({ match }) => match);
}

/** The number that was typed, in capitals; null for anything else. */
function numberIn(text: string): string | null {
  const number = text.trim().toUpperCase();
  return isMastrNumber(number) ? number : null;
}

/** A list that narrows a search, and whether it does: one engine knows no list that is null. */
const narrowed = (whether: string, name: string, list: readonly string[] | null) => ({
  [whether]: list !== null,
  [name]: list ?? [],
});

/** Matches up to this one lie together in the order of names: those that begin with the text. */
const AT_THE_BEGINNING = 1;

/**
 * The best rows of a statement. Names that begin with the text come before all others, but for those of actors without
 * assets, and they lie together: where there are enough of them, nothing else is looked at.
 */
async function ranked<Row extends Matched>(
  dataset: Dataset,
  texts: typeof NAMES,
  wanted: Wanted,
  values: Statement['values'],
): Promise<Row[]> {
  const ask = (nurAnfang: boolean) =>
    dataset.query<Row>({
      text: texts[dataset.dialects.units.name],
      values: { ...searched(wanted), ...values, ...narrowed('nurLaender', 'laender', wanted.states), nurAnfang },
    });
  const beginning = await ask(true);
  const last = beginning[wanted.limit];
  return last !== undefined && last.guete <= AT_THE_BEGINNING ? beginning : ask(false);
}

/**
 * What stands between words in a folded text: the signs of ASCII and Latin-1, and general punctuation. Everything that is
 * no letter (\p{L}) would be more, but takes the engine five milliseconds to prepare.
 */
const BETWEEN_WORDS = ' -/:-@\\[-`{-\\x{bf}\\x{2000}-\\x{206f}';

/** What the statements look for; one row more than the limit shows whether there are more. */
function searched({ text, limit }: Wanted) {
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

async function findActors(dataset: Dataset, wanted: Wanted): Promise<ActorFound[]> {
  const nummer = numberIn(wanted.text);
  return ranked<ActorFound>(dataset, ACTORS, wanted, { nummer });
}

async function findUnits(dataset: Dataset, wanted: Wanted, today: string): Promise<UnitMatch[]> {
  const values = narrowed('nurTraeger', 'traeger', wanted.carriers);
  const rows = await ranked<{ guete: number; digits: number }>(dataset, NAMES, wanted, values);
  const named = rows.map(({ guete, digits }) => ({ guete, number: unitNumberOf(digits) }));
  const number = numberIn(wanted.text);
  if (number === null) return named;
  const [unit] = await unitsOf(dataset, [number], today);
  const among = (list: readonly string[] | null, value: string | null) =>
    list === null || (value !== null && list.includes(value));
  if (unit === undefined || !among(wanted.states, unit.bundesland) || !among(wanted.carriers, unit.einheitTyp)) {
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
  unitsNamed(dataset, numbers, FIELDS, today) as unknown as Promise<UnitFound[]>;
