import { fold } from '../../sql/query/fold.ts';
import { sqlFile } from '../../sql/query/statement.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { type ActorFound, type Hit, hitOfActor, hitOfUnit, type Matched, type UnitFound, type UnitRef } from './hit.ts';

const ACTORS = sqlFile(import.meta.url, 'actors.sql');
const NAMES = sqlFile(import.meta.url, 'names.sql');
const NUMBER = sqlFile(import.meta.url, 'number.sql');
const UNITS = sqlFile(import.meta.url, 'units.sql');

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
): Promise<{ hits: Hit[]; truncated: boolean }> {
  const [actors, units] = await Promise.all([
    // Actors have no energy carrier.
    wanted.kinds.includes('marktakteur') && wanted.carriers === null ? findActors(dataset, wanted) : [],
    wanted.kinds.includes('anlage') ? findUnits(dataset, wanted) : [],
  ]);
  const all = inTurns<ActorFound | UnitRef>(actors, units);
  const best = all.slice(0, wanted.limit);
  const rows = await rowsOf(
    dataset,
    best.filter((match) => 'einheit' in match),
  );
  const hits = best.map((match) =>
    'einheit' in match ? hitOfUnit(rows.get(match.einheit)!, baseUrl) : hitOfActor(match, baseUrl),
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

const MASTR_NUMBER = /^[A-Z]{3}[0-9]{12}$/;

/** The number that was typed, in capitals; null for anything else. */
function numberIn(text: string): string | null {
  const number = text.trim().toUpperCase();
  return MASTR_NUMBER.test(number) ? number : null;
}

/** What the statements look for; one row more than the limit shows whether there are more. */
function searched({ text, limit }: Wanted) {
  const gesucht = fold(text);
  // Only signs of ASCII mean something in a pattern, and only those may be escaped.
  const literally = gesucht.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
  return { gesucht, wortanfang: `(^|[^\\p{L}\\p{N}])${literally}`, hoechstens: limit + 1 };
}

const findActors = (dataset: Dataset, wanted: Wanted): Promise<ActorFound[]> =>
  dataset.query<ActorFound>({
    text: ACTORS,
    values: { ...searched(wanted), nummer: numberIn(wanted.text), bundesland: wanted.states },
  });

async function findUnits(dataset: Dataset, wanted: Wanted): Promise<UnitRef[]> {
  const where = { bundesland: wanted.states, einheitTyp: wanted.carriers };
  const nummer = numberIn(wanted.text);
  const [numbered, named] = await Promise.all([
    nummer === null ? [] : dataset.query<UnitRef>({ text: NUMBER, values: { nummer, ...where } }),
    dataset.query<UnitRef>({ text: NAMES, values: { ...searched(wanted), ...where } }),
  ]);
  // A unit may be called by its own number.
  return [...numbered, ...named.filter(({ einheit }) => einheit !== numbered[0]?.einheit)];
}

/** What there is to say of units, by row. */
async function rowsOf(dataset: Dataset, units: readonly UnitRef[]): Promise<Map<number, UnitFound>> {
  if (units.length === 0) return new Map();
  const zeilen = units.map(({ einheit }) => String(einheit));
  const rows = await dataset.query<UnitFound>({ text: UNITS, values: { zeilen } });
  return new Map(rows.map((row) => [row.einheit, row]));
}
