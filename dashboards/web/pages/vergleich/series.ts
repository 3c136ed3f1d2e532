import type { Carrier } from '../../charts/carriers.ts';
import { exact } from '../../format/numbers.ts';
import {
  lastDay,
  lengthOf,
  PERIODS_OF_YEAR,
  type PeriodKind,
  periodNumber,
  periodOfDay,
  type Range,
  withinYears,
} from '../../periods/periods.ts';
import type { RegionOrCountry } from '../../regions/region.ts';
import type { SeriesOfPlaces, SeriesPerPlace, SeriesRowPerPlace } from '../../v1/answers.ts';

/** The figures of a comparison: what the interface answers of a place, measured as it was chosen. */

export const SERIES = ['zubau', 'bestand', 'netto', 'abbau', 'pipeline'] as const;
export const VALUES = ['mw', 'anzahl', 'mwh'] as const;
export const BASES = ['kopf', 'absolut', 'flaeche', 'anteil', 'deutschland', 'index'] as const;
export const SPANS = ['10jahre', '5jahre', '20jahre', 'alles'] as const;

/** What is counted: `bestand` is all that came minus all that went until the end of a period, `pipeline` what is planned for it. */
export type Series = (typeof SERIES)[number];
export type Value = (typeof VALUES)[number];
/** What figures are divided by: inhabitants, area, all carriers of the place, the same in the country, or the first period. */
export type Basis = (typeof BASES)[number];
export type Span = (typeof SPANS)[number];

export interface Measure {
  readonly reihe: Series;
  readonly wert: Value;
  readonly bezug: Basis;
}

export interface Window {
  readonly kind: PeriodKind;
  readonly range: Range;
  /** The period in which the data end: nothing is known of later ones. */
  readonly now: number;
}

type Values = readonly (number | null)[];

/**
 * The values of a place in each period of the range; null = not known, or nothing to divide by.
 * @param country the answer for the country, for shares of it
 */
export function valuesOf(
  answer: SeriesPerPlace,
  measure: Measure,
  carriers: readonly Carrier[],
  window: Window,
  country: SeriesPerPlace | null,
): Values {
  const sums = (of: SeriesPerPlace, those: readonly Carrier[] | null): Values => sumsOf(of, measure, those, window);
  const own = sums(answer, carriers);
  if (measure.bezug === 'anteil') return parts(own, sums(answer, null));
  if (measure.bezug === 'deutschland')
    return country === null ? own.map(() => null) : parts(own, sums(country, carriers));
  if (measure.bezug === 'index')
    return parts(
      own,
      own.map(() => own[0] ?? null),
    );
  return own;
}

/** Per cent of a whole, where there is one. */
const parts = (some: Values, whole: Values): Values =>
  some.map((part, at) => {
    const all = whole[at] ?? null;
    return part === null || all === null || all <= 0 ? null : exact((part / all) * 100);
  });

/** @param carriers null = all of them */
function sumsOf(
  { data, meta }: SeriesPerPlace,
  { reihe, wert, bezug }: Measure,
  carriers: readonly Carrier[] | null,
  { kind, range, now }: Window,
): Values {
  const isRatio = bezug === 'kopf' || bezug === 'flaeche';
  const by = isRatio && wert === 'mwh' && !isOfListedPlaces({ data, meta }) ? null : meta.bezug;
  const amountOf = amounts(wert, bezug, by);
  const sums = new Array<number | null>(lengthOf(range)).fill(0);
  for (const row of data) {
    const period = periodNumber(kind, row.periode);
    if (period > range.last || (carriers !== null && !carriers.some((carrier) => carrier === row.energietraeger)))
      continue;
    // A stock has all that came before; what is left out of a flow is no part of it.
    if (period < range.first && reihe !== 'bestand') continue;
    const at = Math.max(0, period - range.first);
    const amount = signed(reihe, (flow) => amountOf(row, flow));
    const before = sums[at] ?? null;
    sums[at] = before === null || amount === null ? null : before + amount;
  }
  let stock: number | null = 0;
  return sums.map((sum, at) => {
    stock = stock === null || sum === null ? null : stock + sum;
    const value = reihe === 'bestand' ? stock : sum;
    // A place without figures has none in periods without a row either.
    const isKnown = (reihe === 'pipeline' || range.first + at <= now) && (by !== null || !isRatio);
    return isKnown && value !== null ? exact(value) : null;
  });
}

function signed(reihe: Series, amountOf: (flow: Flow) => number | null): number | null {
  if (reihe !== 'bestand' && reihe !== 'netto') return amountOf(reihe);
  const [zubau, abbau] = [amountOf('zubau'), amountOf('abbau')];
  return zubau === null || abbau === null ? null : zubau - abbau;
}

/** Sums that differ by less than this are the same, rounded. */
const ROUNDING = 0.001;

/**
 * True where the units of a place are those of the places whose inhabitants and area the interface names. Where municipalities
 * were merged across its border they are not: its energy must not be divided by these then.
 */
function isOfListedPlaces({ data, meta: { bezug } }: SeriesPerPlace): boolean {
  if (bezug === null) return false;
  const own = data.reduce((sum, row) => sum + row.zubauMw * 1000, 0);
  const listed = data.reduce((sum, row) => sum + ((row.zubauKwJe1000Einwohner ?? 0) * bezug.einwohner) / 1000, 0);
  return Math.abs(own - listed) <= ROUNDING * own;
}

type Flow = 'zubau' | 'abbau' | 'pipeline';

/** Reads an amount from a row. Capacity and numbers by inhabitants and area are those of the interface; energy is divided here. */
function amounts(
  wert: Value,
  bezug: Basis,
  by: SeriesPerPlace['meta']['bezug'],
): (row: SeriesRowPerPlace, flow: Flow) => number | null {
  if (bezug !== 'kopf' && bezug !== 'flaeche') return (row, flow) => row[`${flow}${ABSOLUTE[wert]}`];
  if (wert === 'mwh') {
    const divisor = by === null ? 0 : bezug === 'kopf' ? by.einwohner / 1000 : by.flaecheKm2;
    return (row, flow) => {
      const energy = row[`${flow}Mwh`];
      return energy === null || divisor === 0 ? null : (energy * 1000) / divisor;
    };
  }
  const end = bezug === 'kopf' ? 'Je1000Einwohner' : 'JeKm2';
  return (row, flow) => row[`${flow}${wert === 'mw' ? 'Kw' : 'Anzahl'}${end}`];
}

const ABSOLUTE = { mw: 'Mw', anzahl: 'Anzahl', mwh: 'Mwh' } as const satisfies Record<Value, string>;

/** True for figures of which a sum means something. */
export const isAdditive = ({ bezug }: Measure, isOverCarriers: boolean): boolean =>
  bezug === 'absolut' || bezug === 'deutschland' || (isOverCarriers && bezug !== 'index');

const YEARS: Readonly<Record<Exclude<Span, 'alles'>, number>> = { '5jahre': 5, '10jahre': 10, '20jahre': 20 };

interface RangeChoice {
  readonly reihe: Series;
  readonly zeitraum: Span;
  readonly von: string | null;
  readonly bis: string | null;
}

/**
 * The periods that are shown: without other days those that are over, as a period that has only begun would look like a fall,
 * and of plans those that are not.
 * @param known the first period in which anything grew, and the last for which anything is planned
 */
export function comparedRange(
  kind: PeriodKind,
  { reihe, zeitraum, von, bis }: RangeChoice,
  asOf: string,
  known: Range,
): Range {
  const now = periodOfDay(kind, asOf);
  const length = zeitraum === 'alles' ? Number.POSITIVE_INFINITY : YEARS[zeitraum] * PERIODS_OF_YEAR[kind];
  const isAhead = reihe === 'pipeline';
  const over = isAhead ? now : lastDay(kind, now) <= asOf ? now : now - 1;
  const latest = isAhead ? Math.max(now, Math.min(known.last, now + length - 1)) : over;
  const earliest = isAhead ? now : Number.isFinite(length) ? over - length + 1 : Math.min(known.first, over);
  const last = bis === null ? latest : periodOfDay(kind, bis);
  return withinYears(kind, von === null ? Math.min(earliest, last) : periodOfDay(kind, von), last);
}

/** The first period in which any of the carriers grew in any of the places, and the last for which any is planned. */
export function knownRange(answers: readonly SeriesPerPlace[], kind: PeriodKind, carriers: readonly Carrier[]): Range {
  const rows = answers.flatMap(({ data }) =>
    data.filter(({ energietraeger }) => carriers.some((one) => one === energietraeger)),
  );
  const periods = (member: 'zubauAnzahl' | 'pipelineAnzahl') =>
    rows.filter((row) => row[member] > 0).map(({ periode }) => periodNumber(kind, periode));
  return {
    first: periods('zubauAnzahl').reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY),
    last: periods('pipelineAnzahl').reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY),
  };
}

/** The answer about each of some places, out of one about all of them. */
export function seriesOfEach(places: readonly RegionOrCountry[], answer: SeriesOfPlaces): readonly SeriesPerPlace[] {
  const { orte, ...meta } = answer.meta;
  if (orte === undefined) return places.map(() => answer);
  const rows = Map.groupBy(answer.data, ({ region }) => region);
  return places.map((place) => {
    const about = orte.find(({ region }) => region === place?.value);
    return {
      ...answer,
      data: rows.get(place?.value) ?? [],
      meta: { ...meta, bezug: null, ...about },
    };
  });
}
