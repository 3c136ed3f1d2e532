import { monthsOf, type Span, sumOf } from '../../figures/months.ts';
import { say } from '../../format/language.ts';
import { digitsOf, type Table } from '../../frame/table.ts';
import type { Place } from '../../regions/place.ts';
import type { Profile } from './profiles.ts';

/** A place of the comparison with what is known of it. */
export interface Compared extends Place {
  /** Its place in the order of the page, which gives its colour. */
  readonly color: string;
  readonly isCountry: boolean;
  readonly profile: Profile;
}

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
      { name: say('Ort', 'Place') },
      { name: say('In Betrieb', 'In operation'), unit: 'MW', numeric: true },
      { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
      { name: say('Zubau 12 Monate', 'Added in 12 months'), unit: 'MW', numeric: true },
      { name: say('Zubau je Bestand', 'Added by stock'), unit: '%', numeric: true },
      { name: say('Zubau 90 Tage', 'Added in 90 days'), unit: 'MW', numeric: true },
      { name: say('Abbau 90 Tage', 'Removed in 90 days'), unit: 'MW', numeric: true },
      { name: say('Netto 90 Tage', 'Net in 90 days'), unit: 'MW', numeric: true },
      { name: 'Pipeline', unit: 'MW', numeric: true },
      { name: say('Pipeline je Bestand', 'Pipeline by stock'), unit: '%', numeric: true },
      { name: say('Wind über 20 Jahre', 'Wind over 20 years'), unit: '%', numeric: true },
      { name: say('Speicher in Betrieb', 'Storage in operation'), unit: 'MWh', numeric: true },
      { name: say('Speicher geplant', 'Storage planned'), unit: 'MWh', numeric: true },
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
      digits: digitsOf(table.rows.map((row) => row[at] ?? null)),
      ...column,
    })),
  };
}

/** What a place has added since the beginning until the end of each month, and how much of what is in operation now that is. */
export interface Growth {
  readonly mw: readonly number[];
  /** In per cent; null where nothing is in operation. */
  readonly percent: readonly (number | null)[];
}

export function growthOf({ profile }: Compared, span: Span): Growth {
  let sum = 0;
  const mw = monthsOf(span).map((month) => (sum += sumOf(profile.series.data, [month], 'zubauMw')));
  return { mw, percent: mw.map((value) => ratio(value * 100, stockMw(profile))) };
}

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
