import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { classesOf, type Division } from '../../map/classes.ts';
import type { PointLayerProps } from '../../map/point-layer.tsx';
import type { Box } from '../../map/view.ts';
import { type Loaded, mapLoaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import {
  aboutBoundaries,
  aboutElsewhere,
  aboutInhabitants,
  aboutOutside,
  aboutShare,
  aboutStock,
  legendOf,
  type Shown,
  tableOf,
} from './area-words.ts';
import { Choropleth } from './choropleth.tsx';
import type { AreaData } from './load-areas.ts';
import type { Measure } from './measures.ts';
import type { Scope } from './scope.ts';
import { numbersOf, valuesOf } from './values.ts';

export interface AreasFigureProps {
  readonly loaded: Loaded<AreaData>;
  readonly scope: Scope;
  readonly measure: Measure;
  readonly division: Division;
  readonly title: string;
  readonly unit: string;
  /** The day that is shown, where the stock of days is; null = today. */
  readonly day: string | null;
  readonly requests: readonly ApiRequest[];
  readonly points?: PointLayerProps | undefined;
  /** The part that is seen at first instead of all areas. */
  readonly focus?: Box | undefined;
  /** A list beside the map. */
  readonly beside?: ComponentChildren;
  /** The time line, above the map. */
  readonly timeline?: ComponentChildren;
  /** Asks for all areas, where only some are here. */
  onComplete(): void;
}

/** The choropleth with its frame. */
export function AreasFigure(props: AreasFigureProps) {
  const { loaded, scope, measure, division, title, unit, day, requests, points, focus, beside, timeline } = props;
  // The same colours on all days: a change that is seen is one of the figures.
  const scaled = useMemo(
    () =>
      mapLoaded(loaded, (data) => {
        const ats = measure.kind === 'zuwachs' || data.days.length === 0 ? [null] : data.days.map((_, at) => at);
        return { data, classes: classesOf(numbersOf(data, scope, measure, lastOf(data, measure, ats)), division) };
      }),
    [loaded, scope, measure, division],
  );
  const drawn = useMemo(
    () =>
      mapLoaded(scaled, ({ data, classes }): Shown => {
        const at = data.days.length === 0 ? null : day === null ? data.days.length - 1 : data.days.indexOf(day);
        return { data, classes, values: valuesOf(data, scope, measure, at) };
      }),
    [scaled, scope, measure, day],
  );
  const value = shown(drawn);
  return (
    <Figure
      title={title}
      unit={unit}
      loaded={drawn}
      requests={requests}
      shows={say('die Karte', 'the map')}
      height={560}
      table={(one) => tableOf(one, measure)}
      empty={({ values }) =>
        values.areas.length === 0 ? say('Hierfür gibt es keine Grenzen.', 'There are no borders for this.') : null
      }
      {...(value === null ? {} : { legend: legendOf(value, measure, points) })}
      note={
        value !== null && (
          <>
            {[
              aboutElsewhere(value.values.elsewhere, measure),
              aboutShare(value, measure),
              aboutStock(value.data),
              aboutBoundaries(value, scope.level === 'gemeinde'),
              aboutOutside(value.values, points),
              aboutInhabitants(value.data, measure),
            ]
              .filter((part) => part !== null)
              .join(' ')}{' '}
            {value.data.isPartial && (
              <button type="button" onClick={props.onComplete}>
                {say('Alle laden, Kreis für Kreis', 'Load all, district by district')}
              </button>
            )}
          </>
        )
      }
      {...(value === null ? {} : { attribution: value.data.boundaries.attribution })}
    >
      {(one) => (
        <>
          {timeline}
          <Choropleth shown={one} label={title} {...{ scope, measure, points, focus, beside }} />
        </>
      )}
    </Figure>
  );
}

/** A difference is shown at its last day. */
const lastOf = (data: AreaData, { kind }: Measure, ats: readonly (number | null)[]): readonly (number | null)[] =>
  kind === 'zuwachs' && data.days.length > 0 ? [data.days.length - 1] : ats;
