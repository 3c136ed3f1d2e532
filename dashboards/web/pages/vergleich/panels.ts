import { type Carrier, carrierColor, carrierName } from '../../charts/carriers.ts';
import type { PeriodForm, PeriodSeries } from '../../charts/period-series.ts';
import type { Place } from '../../regions/place.ts';
import { placeText } from '../../regions/region.ts';
import type { SeriesPerPlace } from '../../v1/answers.ts';
import { type Measure, valuesOf, type Window } from './series.ts';

/** A place, or what a filter selects, with its answer. */
export interface ComparedPlace extends Place {
  /** The query of a list; absent = it is a place. */
  readonly filter?: string;
  readonly color: string;
  readonly answer: SeriesPerPlace;
}

/** Tells what is compared apart. */
export const idOf = ({ region, filter }: Pick<ComparedPlace, 'filter' | 'region'>): string =>
  filter ?? placeText(region);

/** A chart with what it has side by side. */
export interface Panel {
  /** null = it is the only one */
  readonly heading: string | null;
  /** True: charts of carriers, whose sizes differ. */
  readonly hasOwnScale?: boolean;
  readonly series: readonly PeriodSeries[];
}

export interface Comparison {
  readonly places: readonly ComparedPlace[];
  readonly carriers: readonly Carrier[];
  readonly isSplit: boolean;
  readonly measure: Measure;
  readonly window: Window;
  readonly country: SeriesPerPlace | null;
}

/** More bars than this in a chart are too thin for a telephone: each place has a chart of its own then. */
const MOST_BARS = 100;

/** The values of a place, of some carriers together. */
const values = ({ measure, window, country }: Comparison, { answer }: ComparedPlace, carriers: readonly Carrier[]) =>
  valuesOf(answer, measure, carriers, window, country);

const ofPlace = (comparison: Comparison, place: ComparedPlace, carriers: readonly Carrier[]): PeriodSeries => ({
  id: idOf(place),
  name: place.name,
  color: place.color,
  values: values(comparison, place, carriers),
  isDashed: place.region === null && place.filter === undefined && comparison.places.length > 1,
});

const ofCarrier = (comparison: Comparison, place: ComparedPlace, carrier: Carrier): PeriodSeries => ({
  id: carrier,
  name: carrierName(carrier),
  color: carrierColor(carrier),
  values: values(comparison, place, [carrier]),
});

/** Divides what is compared into charts: places beside each other wherever one chart can have them. */
export function panelsOf(comparison: Comparison, form: PeriodForm): readonly Panel[] {
  const { places, carriers, isSplit } = comparison;
  const [only, ...others] = places;
  if (isSplit && only !== undefined && (others.length === 0 || form === 'gestapelt')) {
    return places.map((place) => ({
      heading: others.length === 0 ? null : place.name,
      series: carriers.map((carrier) => ofCarrier(comparison, place, carrier)),
    }));
  }
  if (isSplit) {
    return carriers.map((carrier) => ({
      heading: carrierName(carrier),
      hasOwnScale: true,
      series: places.map((place) => ofPlace(comparison, place, [carrier])),
    }));
  }
  const series = places.map((place) => ofPlace(comparison, place, carriers));
  const bars = series.reduce((sum, one) => sum + one.values.length, 0);
  if (form === 'balken' && series.length > 1 && bars > MOST_BARS) {
    return series.map((one) => ({ heading: one.name, series: [one] }));
  }
  return [{ heading: null, series }];
}

/** All that is seen, one after the other, for the table and its file: by place, and by carrier where these are apart. */
export const columnsOf = (comparison: Comparison): readonly PeriodSeries[] => {
  const { places, carriers, isSplit } = comparison;
  return places.flatMap((place) =>
    isSplit
      ? carriers.map((carrier) => ({
          ...ofCarrier(comparison, place, carrier),
          name: places.length === 1 ? carrierName(carrier) : `${place.name}, ${carrierName(carrier)}`,
        }))
      : [ofPlace(comparison, place, carriers)],
  );
};
