import { type Carrier, carrierRank } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { exact } from '../../format/numbers.ts';
import type { Aggregation } from '../../v1/answers.ts';

/** The stock by year of commissioning, from groups of the interface. */

/** One answer: the groups of a carrier, or of all that are shown together. */
export interface YearGroups {
  /** null = all that are shown, together. */
  readonly carrier: Carrier | null;
  readonly groups: Aggregation['data']['groups'];
}

interface YearPart {
  readonly carrier: Carrier | null;
  readonly count: number;
  readonly mw: number;
}

export interface YearRow {
  readonly year: number;
  readonly count: number;
  readonly mw: number;
  /** Empty in a year without units. */
  readonly parts: readonly YearPart[];
}

export interface Pyramid {
  /** All years from the first to the last, also those without units. */
  readonly rows: readonly YearRow[];
  /** Units without a year of commissioning. */
  readonly withoutYear: number;
}

/** Older units are drawn together in the row before this year. */
const FIRST_YEAR = 1900;

/** @param today the pyramid ends with its year */
export function pyramidOf(answers: readonly YearGroups[], today: string): Pyramid {
  const byYear = new Map<number, YearPart[]>();
  let withoutYear = 0;
  for (const { carrier, groups } of answers) {
    for (const { key, count, bruttoleistungKw } of groups) {
      if (key === null) withoutYear += count;
      else put(byYear, Math.max(Number(key), FIRST_YEAR - 1), { carrier, count, mw: bruttoleistungKw / 1000 });
    }
  }
  const first = Math.min(...byYear.keys());
  const last = Math.max(...byYear.keys(), Number(today.slice(0, 4)));
  if (byYear.size === 0) return { rows: [], withoutYear };
  const rows = Array.from({ length: last - first + 1 }, (_, index) => {
    const parts = (byYear.get(first + index) ?? []).sort((one, other) => rank(one) - rank(other));
    return { year: first + index, parts, count: sum(parts, 'count'), mw: sum(parts, 'mw') };
  });
  return { rows, withoutYear };
}

const rank = ({ carrier }: YearPart): number => (carrier === null ? 0 : carrierRank(carrier));

/** Adds to the part of the same carrier: years before the first that is drawn have one row. */
function put(byYear: Map<number, YearPart[]>, year: number, part: YearPart): void {
  const parts = byYear.get(year) ?? [];
  const same = parts.findIndex(({ carrier }) => carrier === part.carrier);
  const before = parts[same];
  if (before === undefined) parts.push(part);
  else parts[same] = { ...part, count: before.count + part.count, mw: before.mw + part.mw };
  byYear.set(year, parts);
}

const sum = (rows: readonly { readonly count: number; readonly mw: number }[], member: 'count' | 'mw'): number =>
  exact(rows.reduce((total, row) => total + row[member], 0));

export interface Ages {
  /** Mean over the units, in years. */
  readonly mean: number;
  /** Mean over the capacity. */
  readonly meanOfCapacity: number | null;
  /** Half of the units are this old or older. */
  readonly median: number;
}

/** Ages by calendar year: a unit of this year is 0, one of last year 1. @returns null without units */
export function agesOf({ rows }: Pyramid, today: string): Ages | null {
  const thisYear = Number(today.slice(0, 4));
  const units = sum(rows, 'count');
  const capacity = sum(rows, 'mw');
  if (units === 0) return null;
  const weighted = (member: 'count' | 'mw'): number =>
    rows.reduce((total, row) => total + (thisYear - row.year) * row[member], 0);
  // Rows go from old to young.
  let before = 0;
  const middle = rows.find((row) => {
    before += row.count;
    return before >= units / 2;
  });
  return {
    mean: weighted('count') / units,
    meanOfCapacity: capacity === 0 ? null : weighted('mw') / capacity,
    median: thisYear - (middle?.year ?? thisYear),
  };
}

export const yearName = (year: number): string =>
  year < FIRST_YEAR ? say(`vor ${FIRST_YEAR}`, `before ${FIRST_YEAR}`) : String(year);

/** Places a day among the years: a year and the part of it that has passed. */
export function momentOfDay(day: string): number {
  const year = Number(day.slice(0, 4));
  const [start, end] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
  return year + (Date.parse(day) - start) / (end - start);
}
