import { useMemo } from 'preact/hooks';
import { say } from '../format/language.ts';
import { Waiting } from '../frame/state.tsx';
import type { MapLevel } from './level.ts';
import { MapView } from './map.tsx';
import type { Mark, PointLayerProps } from './point-layer.tsx';
import { pointAt } from './projection.ts';
import { useBoundaries } from './use-boundaries.ts';
import { around, type Box, square } from './view.ts';

/**
 * A small map of points: where a unit stands, or where the awards of a round are.
 *
 *     <PlaceMap label="Ort der Einheit" places={[{ id, title, lines: ['Wind · 4,2 MW'], kind, color, longitude, latitude }]} />
 *     <PlaceMap label="Zuschläge" places={awards} noun="Zuschläge" onChoose={(id) => go(at(`einheiten/${id}`))} />
 *
 * Places without coordinates are left out by the caller, who says how many. The attribution of the borders belongs beneath:
 * `attribution={BOUNDARIES_ATTRIBUTION}` (attribution.ts) of a `Figure`.
 */

export interface MapPlace {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  /** The text that is shown when it is pointed at. */
  readonly title: string;
  readonly lines?: readonly string[];
  /** The meaning of the colour: „Wind“. */
  readonly kind: string;
  /** As a CSS value: `carrierColor('wind')`. */
  readonly color: string;
}

/** Kilometres around a single place: its district is seen, and some of its neighbours. */
const SURROUNDINGS = 45;
/** Kilometres around several places. */
const MARGIN = 8;
/** Places that take more than this of the height of the country are shown on all of it: cut borders would look like a fault. */
const MOST_OF_ALL = 0.5;
const heightOf = ({ top, bottom }: Box): number => bottom - top;

const LEVELS: readonly MapLevel[] = ['bundesland', 'landkreis'];
const NEUTRAL = 'var(--map-none)';

export function PlaceMap({
  label,
  places,
  noun = say('Einheiten', 'units'),
  onChoose,
}: {
  /** Says what is seen, for readers who do not see it. */
  label: string;
  places: readonly MapPlace[];
  /** Names the places: „Zuschläge“. */
  noun?: string;
  /** A click on a place, or Enter; absent = places lead nowhere. */
  onChoose?: (id: string) => void;
}) {
  const loaded = useBoundaries(LEVELS);
  const marks = useMemo(
    () =>
      places.map(
        (place): Mark => ({
          id: place.id,
          point: pointAt(place),
          kind: place.kind,
          color: place.color,
          description: { title: place.title, lines: place.lines ?? [] },
        }),
      ),
    [places],
  );
  const [only, ...others] = marks;
  const isSingle = only !== undefined && others.length === 0;
  const layer = useMemo(() => {
    const boundaries = loaded.state === 'ready' ? loaded.value : null;
    const districts = boundaries?.get('landkreis');
    const box = districts === undefined ? null : around(districts.areas.map((area) => area.box));
    if (districts === undefined || box === null) return null;
    return {
      box,
      outlines: [districts.outline('', 2)],
      areas: {
        areas: districts.areas,
        fillOf: () => NEUTRAL,
        describe: (area: { readonly label: string }) => ({ title: area.label, lines: [] }),
      },
    };
  }, [loaded]);
  const focus = useMemo(() => {
    const near = around(marks.map(({ point }) => square(point, isSingle ? SURROUNDINGS : MARGIN)));
    const isAll = near === null || layer === null || heightOf(near) > MOST_OF_ALL * heightOf(layer.box);
    return isAll ? undefined : near;
  }, [marks, isSingle, layer]);
  if (loaded.state === 'loading') return <Waiting loaded={loaded} height={220} />;
  // A page about a unit is complete without its map.
  if (layer === null)
    return (
      <p class="note">
        {say('Die Grenzen der Karte konnten nicht geladen werden.', 'The boundaries of the map could not be loaded.')}
      </p>
    );
  const points: PointLayerProps = {
    marks,
    noun,
    ...(isSingle ? { selected: only.id } : {}),
    ...(onChoose === undefined ? {} : { onChooseMark: ({ id }) => onChoose(id) }),
  };
  return (
    <MapView
      isSmall
      label={label}
      box={layer.box}
      focus={focus}
      areas={layer.areas}
      outlines={layer.outlines}
      points={points}
    />
  );
}
