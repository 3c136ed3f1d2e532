import { setImmediate as othersTurn } from 'node:timers/promises';
import { z } from 'zod';
import { itemAt } from '../../runtime/present.ts';
import {
  type AskedUnits,
  answersRow,
  askedUnits,
  changedSinceStatement,
  formerlyServedStatement,
  holdingOf,
  servedStatement,
  signalsRow,
} from '../../sql/query/changes.ts';
import { type Watch, watchedStatement } from '../../sql/query/watched.ts';
import { parseVersionId } from '../../sql/warehouse/versions.ts';
import { statesOf } from '../state/state.ts';
import type { VersionBeside } from '../warehouse/version.ts';

/** The units that are new in a version, or have other signals than in an earlier one. */

/** A unit that is served now and differs. */
export interface ChangedUnit {
  /** Of its MaStR number. */
  readonly digits: number;
  readonly isNew: boolean;
  /** Signals now, one bit each. */
  readonly signals: number;
  /** Signals in the earlier version; 0 for a unit that was not served there. */
  readonly signalsBefore: number;
  /** Keys of the watches that hold. */
  readonly watched: ReadonlySet<string>;
}

/** A version and the earlier one that it is compared with. */
export interface Comparison {
  /** The later version. */
  readonly current: VersionBeside;
  /** A unit that has not changed since this build is the same in the earlier version. */
  readonly since: number;
  readonly earlier: EarlierState;
  /** The build of the earlier version; null where the later one cannot tell its state, and no field is compared. */
  readonly before: number | null;
  /** Called when `earlier` is needed no more: its version takes no memory from then on. */
  earlierIsRead(): void;
}

/** Finds out the signals of units in an earlier version, by digits; a unit that it did not serve is missing. */
export type EarlierState = (units: AskedUnits) => Promise<ReadonlyMap<number, number>>;

/** The later version cannot be compared with the earlier one, now or ever. */
export class NotComparable extends Error {}

/** The state of units as the earlier version itself has it. */
export const stateIn =
  (version: VersionBeside): EarlierState =>
  async (units) =>
    byDigits(await version.query(signalsRow, servedStatement(units, version.dialects)));

/**
 * Compares a version with an earlier one.
 * @param earlier its id
 * @param opened the earlier version; null = it is not kept any more, and what the later one keeps of former rows has to do
 * @throws NotComparable when that is not enough
 */
export async function comparison(
  current: VersionBeside,
  earlier: string,
  opened: VersionBeside | null,
): Promise<Omit<Comparison, 'earlierIsRead'>> {
  const predecessors = await current.query(predecessorRow, {
    text: 'SELECT version, sequence, anker AS anchor FROM vorgaenger',
    values: {},
  });
  const anchor = predecessors.find(({ version }) => version === earlier)?.anchor;
  const before = (await statesOf(current)).find(({ version }) => version === earlier)?.build ?? null;
  if (opened !== null) return { current, since: anchor ?? 0, earlier: stateIn(opened), before };
  const build = parseVersionId(earlier)?.sequence;
  const [dataset] = await current.query(completeFromRow, {
    text: 'SELECT coalesce(ersetztAb, sequence) AS completeFrom FROM dataset',
    values: {},
  });
  // A withdrawn version marks units as changed whose former rows were never replaced, so that they would look new.
  const hasWithdrawn = predecessors.some(({ sequence, anchor }) => anchor !== sequence && sequence > (build ?? 0));
  const isKnown = build !== undefined && anchor === build && dataset !== undefined && build >= dataset.completeFrom;
  if (!isKnown || hasWithdrawn) {
    throw new NotComparable(`${earlier} is not kept any more, and too much has changed since to do without it`);
  }
  return {
    current,
    since: build,
    before,
    earlier: async (units) =>
      byDigits(await current.query(signalsRow, formerlyServedStatement(units, build, current.dialects))),
  };
}

const predecessorRow = z.strictObject({ version: z.string(), sequence: z.int(), anchor: z.int() });
const completeFromRow = z.strictObject({ completeFrom: z.int() });

const byDigits = (rows: readonly z.infer<typeof signalsRow>[]): ReadonlyMap<number, number> =>
  new Map(rows.map(({ digits, signals }) => [digits, signals]));

/** Units of one statement: reading the answer keeps the thread of the requests busy for some ten milliseconds. */
const UNITS_AT_ONCE = 10_000;

/** Units that are asked about together: more than in most nights, since every pass has its price, and few enough to be held. */
const UNITS_TOGETHER = 25_000;

/** The differences that somebody wants to know. */
export interface Wanted {
  readonly newUnits: boolean;
  /** A mask. */
  readonly signals: number;
  /** None where `before` is null. */
  readonly watches: readonly Watch[];
}

/** Counts what a comparison has seen. */
export interface ChangeCount {
  /** Units with other content, whatever differs. */
  changed: number;
}

/**
 * Yields the units that differ in a wanted way, in the order of their numbers, some thousand at a time.
 * @param keepOn is asked before each statement; it throws to end the work
 */
export async function* changedUnits(
  { current, since, earlier, before: build, earlierIsRead }: Comparison,
  wanted: Wanted,
  count: ChangeCount,
  keepOn: () => void,
): AsyncGenerator<readonly ChangedUnit[], void, undefined> {
  let together: ChangedUnit[] = [];
  let after = -1;
  while (true) {
    keepOn();
    const candidates = await current.query(
      signalsRow,
      changedSinceStatement(since, after, UNITS_AT_ONCE, current.dialects),
    );
    if (candidates.length === 0) break;
    keepOn();
    const asked = askedUnits(candidates.map(({ digits }) => digits));
    const before = await earlier(asked);
    const holding = build === null ? new Map() : await watchedAmong(asked, wanted.watches, build, current, keepOn);
    for (const { digits, signals } of candidates) {
      const signalsBefore = before.get(digits) ?? 0;
      const isNew = !before.has(digits);
      const watched = holding.get(digits) ?? NONE;
      if ((isNew && wanted.newUnits) || ((signals ^ signalsBefore) & wanted.signals) !== 0 || watched.size > 0) {
        together.push({ digits, isNew, signals, signalsBefore, watched });
      }
    }
    count.changed += candidates.length;
    if (together.length >= UNITS_TOGETHER) {
      yield together;
      together = [];
    }
    if (candidates.length < UNITS_AT_ONCE) break;
    after = itemAt(candidates, candidates.length - 1).digits;
    await othersTurn();
  }
  earlierIsRead();
  await othersTurn();
  if (together.length > 0) yield together;
}

const NONE: ReadonlySet<string> = new Set();

/** Finds out which watches hold for units that the earlier version served as well, by digits. */
async function watchedAmong(
  asked: AskedUnits,
  watches: readonly Watch[],
  build: number,
  current: VersionBeside,
  keepOn: () => void,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  if (watches.length === 0) return new Map();
  keepOn();
  const rows = await current.query(answersRow, watchedStatement(asked, watches, build, current.dialects));
  return new Map(
    rows.map((row) => [Number(row.digits), new Set(holdingOf(row).map((place) => itemAt(watches, place).key))]),
  );
}
