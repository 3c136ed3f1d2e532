import { monthsOf, type Span, sumOf } from '../../figures/months.ts';
import type { Place } from '../../figures/place.ts';
import type { Cell, Table } from '../../frame/table.ts';
import type { Profile } from './profiles.ts';

/** A place of the comparison with what is known of it. */
export interface Compared extends Place {
  /** Its place in the order of the page, which gives its colour. */
  readonly color: string;
  readonly isCountry: boolean;
  readonly profile: Profile;
}

const COLORS = ['var(--accent)', 'var(--place-1)', 'var(--place-2)', 'var(--place-3)'] as const;

/** The region of the page first, then the others; the country is always grey. */
export const placeColor = (index: number, isCountry: boolean): string =>
  isCountry ? 'var(--faint)' : (COLORS[index] ?? 'var(--faint)');

const YEAR = 12;

/** A quotient; null where there is nothing to divide by. */
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const stockMw = ({ stock }: Profile): number => stock.data.totals.bruttoleistungKw / 1000;

const megawattHours = (kwh: number | null): number | null => (kwh === null ? null : kwh / 1000);

/** Key figures of each place, and rates, which can be compared where sizes differ. */
export function keyTable(places: readonly Compared[], span: Span): Table {
  const lastYear = monthsOf(span).slice(-YEAR);
  const percent = (value: number | null): number | null => (value === null ? null : value * 100);
  const table: Table = {
    columns: [
      { name: 'Ort' },
      { name: 'In Betrieb', unit: 'MW', numeric: true },
      { name: 'Einheiten', numeric: true, digits: 0 },
      { name: 'Zubau 12 Monate', unit: 'MW', numeric: true },
      { name: 'Zubau je Bestand', unit: '%', numeric: true },
      { name: 'Zubau 90 Tage', unit: 'MW', numeric: true },
      { name: 'Abbau 90 Tage', unit: 'MW', numeric: true },
      { name: 'Netto 90 Tage', unit: 'MW', numeric: true },
      { name: 'Pipeline', unit: 'MW', numeric: true },
      { name: 'Pipeline je Bestand', unit: '%', numeric: true },
      { name: 'Wind über 20 Jahre', unit: '%', numeric: true },
      { name: 'Speicher in Betrieb', unit: 'MWh', numeric: true },
      { name: 'Speicher geplant', unit: 'MWh', numeric: true },
    ],
    rows: places.map(({ name, profile }) => {
      const { zubau90Tage, abbau90Tage, netto90TageMw, pipeline, windUeber20Jahre } = profile.snapshot.data;
      const grown = sumOf(profile.series.data, lastYear, 'zubauMw');
      return [
        name,
        stockMw(profile),
        profile.stock.data.totals.count,
        grown,
        percent(ratio(grown, stockMw(profile))),
        zubau90Tage.mw,
        abbau90Tage.mw,
        netto90TageMw,
        pipeline.mw,
        percent(ratio(pipeline.mw, stockMw(profile))),
        percent(windUeber20Jahre.anteil),
        megawattHours(profile.stock.data.totals.speicherkapazitaetKwh),
        pipeline.mwh,
      ];
    }),
  };
  return {
    ...table,
    columns: table.columns.map((column, at) => ({
      digits: digitsFor(table.rows.map((row) => row[at] ?? null)),
      ...column,
    })),
  };
}

/** Decimals with which the smallest value of a column does not look like nothing. */
function digitsFor(cells: readonly Cell[]): number {
  const sizes = cells.filter((cell) => typeof cell === 'number' && cell !== 0).map((cell) => Math.abs(Number(cell)));
  const smallest = Math.min(...sizes);
  return smallest < 0.1 ? 3 : smallest < 1 ? 2 : 1;
}

/** A point of a line: what a place has added since the beginning, measured by what is in operation there now. */
export interface GrowthPoint {
  readonly place: string;
  readonly month: string;
  readonly mw: number;
  /** Of the capacity in operation, in per cent. */
  readonly percent: number;
}

/** A place where nothing is in operation has no line. */
export const growthPoints = (places: readonly Compared[], span: Span): readonly GrowthPoint[] =>
  places
    .filter(({ profile }) => stockMw(profile) > 0)
    .flatMap(({ name, profile }) => {
      let mw = 0;
      return monthsOf(span).map((month) => {
        mw += sumOf(profile.series.data, [month], 'zubauMw');
        return { place: name, month, mw, percent: (mw / stockMw(profile)) * 100 };
      });
    });

/** A part of the capacity of a place. */
export interface SharePart {
  readonly place: string;
  readonly part: string;
  readonly mw: number;
  readonly share: number;
}

const sharesOf = (place: string, parts: readonly { readonly part: string; readonly mw: number }[]): SharePart[] => {
  const whole = parts.reduce((sum, { mw }) => sum + mw, 0);
  return whole === 0 ? [] : parts.map(({ part, mw }) => ({ place, part, mw, share: mw / whole }));
};

export const carrierShares = (places: readonly Compared[]): readonly SharePart[] =>
  places.flatMap(({ name, profile }) =>
    sharesOf(
      name,
      profile.stock.data.groups.map(({ key, bruttoleistungKw }) => ({ part: key ?? '', mw: bruttoleistungKw / 1000 })),
    ),
  );

/** Cohorts over all carriers: sums over rows of the answer. */
export const ageShares = (places: readonly Compared[]): readonly SharePart[] =>
  places.flatMap(({ name, profile: { age } }) =>
    sharesOf(
      name,
      age.meta.kohorten.map((cohort) => ({
        part: cohort.name,
        mw: age.data.filter(({ kohorte }) => kohorte === cohort.name).reduce((sum, { mw }) => sum + mw, 0),
      })),
    ),
  );
