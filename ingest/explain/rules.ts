import type { Claim, SeriesRow } from './claim.ts';
import type { KeptPlant } from './kept.ts';
import { RATE_TABLE } from './rates.ts';
import { kilowatts } from './words.ts';

/** Sentences on rules that leave no line of the rate table behind: where the table ended, and how long a phase lasts. */

/** Says which rows of the table come nearest to a plant for which it has none. */
export function missingRate({ ruleDay, series, reachKw }: Claim, rows: readonly SeriesRow[]): string[] {
  if (ruleDay === null) return [];
  if (series === null) return [`${RATE_TABLE} has no class for this kind of plant`];
  if (rows.length === 0) return [`${RATE_TABLE} has no line of ${series}`];
  const head = `Asked of ${RATE_TABLE}: ${series} on ${ruleDay}`;
  const ofDay = rows.filter(({ validFrom, validTo }) => validFrom <= ruleDay && ruleDay <= validTo);
  if (ofDay.length === 0) {
    const before = rows.filter(({ validTo }) => validTo < ruleDay).toSorted((a, b) => (a.validTo < b.validTo ? 1 : -1));
    const [ended, next] = [before[0], rows.find(({ validFrom }) => validFrom > ruleDay)];
    return [
      head,
      ...(ended === undefined ? [] : [`Line ${ended.line} ended on ${ended.validTo}`]),
      ...(next === undefined ? [] : [`Line ${next.line} begins on ${next.validFrom}`]),
    ];
  }
  const top = ofDay.at(-1);
  if (top !== undefined && top.toKw !== null && reachKw !== null && reachKw > top.toKw) {
    return [
      head,
      `Line ${top.line}, its highest band, ends at ${kilowatts(top.toKw)}; the plant reaches ${kilowatts(reachKw)}`,
    ];
  }
  return [head, ...ofDay.flatMap(({ line, hasRate }) => (hasRate ? [] : [`Line ${line} names no rate`]))];
}

/** The arithmetic of the higher initial rate of wind. */
export function phaseLines({ phasenwechsel, einheitTyp, foerderende }: KeptPlant, claim: Claim): string[] {
  const change =
    phasenwechsel === null
      ? []
      : [`The higher initial rate ends on ${phasenwechsel}, the base rate holds from then on`];
  if (einheitTyp !== 'wind' || claim.ruleDay === null) return change;
  if (claim.twoStage) return [...initialTime(claim), ...(change.length > 0 ? change : toTheEnd(claim, foerderende))];
  const isOffshore = claim.series?.startsWith('wind_see/') === true && phasenwechsel !== null;
  return [
    ...(isOffshore
      ? [`Initial rate offshore: twelve years from ${claim.ruleDay}; distance and depth may make it longer`]
      : []),
    ...change,
  ];
}

function initialTime({ ruleDay, yieldPercent, yieldFixed, initialMonths, monthsBefore }: Claim): string[] {
  if (ruleDay === null || yieldPercent === null || initialMonths === null) return [];
  const whose = yieldFixed ? ', which the law sets up to 50 kW' : '';
  const months = `Months of the initial rate at a yield of ${yieldPercent} %${whose}: ${initialFormula(ruleDay, yieldPercent)} = ${initialMonths}`;
  if (monthsBefore === null) return [`${months}, from ${ruleDay} on`];
  const left = Math.max(initialMonths - Math.floor(monthsBefore / 2), 48);
  return [
    months,
    `Half of the ${monthsBefore} months before ${ruleDay} are taken off, and 48 remain at least: ${left}, from ${ruleDay} on`,
  ];
}

/** Each whole step of yield below a limit adds to the first five years (sql/eeg/wind-onshore.sql). */
export function initialFormula(ruleDay: string, yieldPercent: number): string {
  const steps = (limit: number, step: number): string =>
    yieldPercent < limit ? `whole part of (${limit} − ${yieldPercent}) / ${step}` : '0';
  return ruleDay < '2014-08-01' ? `60 + 2 × ${steps(150, 0.75)}` : `60 + ${steps(130, 0.36)} + ${steps(100, 0.48)}`;
}

function toTheEnd({ initialUntil }: Claim, end: string | null): string[] {
  if (initialUntil === null) return ['No yield of the site is known: the initial rate is taken to hold to the end'];
  return [
    `That is until ${initialUntil}, and support ends ${end === null ? 'earlier' : `on ${end}`}: the initial rate holds to the end`,
  ];
}
