import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import type { LegendEntry } from '../../frame/legend.tsx';
import { Failed, Waiting } from '../../frame/state.tsx';
import type { Area, Boundaries } from '../../map/boundaries.ts';
import { type Classes, classesOf, classNames } from '../../map/classes.ts';
import type { MapLevel } from '../../map/level.ts';
import { MapView } from '../../map/map.tsx';
import { useBoundaries } from '../../map/use-boundaries.ts';
import { around, type Box } from '../../map/view.ts';
import { nameOfPeriod } from '../../periods/words.ts';
import { type Region, type RegionOrCountry, regionText } from '../../regions/region.ts';
import type { Comparison } from './panels.ts';
import { columnsOf } from './panels.ts';
import { shortUnit, writer } from './words.ts';

const NEUTRAL = 'var(--map-none)';

/** The last value of each place, over the states of the country. */
export function PlacesMap({ comparison }: { comparison: Comparison }) {
  const { places, measure, window } = comparison;
  const loaded = useBoundaries(levelsOf(places.map(({ region }) => region)));
  const { go, at } = useNavigation();
  if (loaded.state === 'failed')
    return <Failed problem={loaded.problem} retry={loaded.retry} shows={say('die Karte', 'the map')} />;
  if (loaded.state === 'loading') return <Waiting loaded={loaded} height={440} />;
  const write = writer(measure);
  const last = lastValues(comparison);
  const classes = lastClasses(comparison);
  const found = places.map((place, index) => ({
    ...place,
    value: last[index] ?? null,
    area: areaOf(place.region, loaded.value),
  }));
  const drawn = new Map(found.flatMap((one) => (one.area === null ? [] : [[one.area.key, one]])));
  const elsewhere = found.filter(({ area }) => area === null);
  const states = loaded.value.get('bundesland')?.areas ?? [];
  const box = around(states.map((area) => area.box));
  if (box === null) return null;
  const text = (value: number | null): string =>
    value === null ? say('kein Wert', 'no value') : `${write(value)}\u202f${shortUnit(measure)}`;
  // Smaller places lie on top of the states in which they are.
  const inner = [...drawn.values()].flatMap(({ area }) => (area !== null && area.key.length > 2 ? [area] : []));
  const period = nameOfPeriod(window.kind, window.range.last);
  return (
    <>
      <MapView
        label={say(`Karte: Werte von ${period}`, `Map: values of ${period}`)}
        box={box}
        focus={focusOf(
          [...drawn.values()].flatMap(({ area }) => (area === null ? [] : [area.box])),
          box,
        )}
        areas={{
          areas: [...states, ...inner.toSorted((a, b) => a.key.length - b.key.length)],
          fillOf: ({ key }) => {
            const value = drawn.get(key)?.value ?? null;
            return value === null || value <= 0 ? NEUTRAL : classes.colorOf(classes.classOf(value));
          },
          describe: (area) => {
            const one = drawn.get(area.key);
            return {
              title: one?.name ?? area.label,
              lines: [
                one === undefined
                  ? say('nicht im Vergleich', 'not in the comparison')
                  : `${period}: ${text(one.value)}`,
              ],
            };
          },
          onChoose: (area) => {
            const one = drawn.get(area.key);
            const region: Region = one?.region ?? { level: 'bundesland', value: area.name };
            go(at('region', { region: regionText(region) }));
          },
        }}
        outlines={inner.map((area) => area.path)}
      />
      {elsewhere.length > 0 && (
        <p class="note">
          {say('Nicht auf der Karte, ', 'Not on the map, ')}
          {period}: {elsewhere.map(({ name, value }) => `${name} ${text(value)}`).join(', ')}.
        </p>
      )}
    </>
  );
}

/** Places that lie close together are seen near; others on the whole country. */
function focusOf(boxes: readonly Box[], all: Box): Box | undefined {
  const near = around(boxes);
  return near !== null && near.bottom - near.top < (all.bottom - all.top) / 2 ? near : undefined;
}

/** The value of each place in the last period. */
const lastValues = (comparison: Comparison): readonly (number | null)[] =>
  columnsOf({ ...comparison, isSplit: false }).map(({ values }) => values.at(-1) ?? null);

const lastClasses = (comparison: Comparison): Classes =>
  classesOf(
    lastValues(comparison).filter((value) => value !== null),
    'faktor',
  );

/** The colours of the map in its legend. */
export function classEntries(comparison: Comparison): readonly LegendEntry[] {
  const classes = lastClasses(comparison);
  const entry = (name: string, color: string): LegendEntry => ({ id: name, name, color, on: true });
  const isAny = lastValues(comparison).some((value) => value !== null && value > 0);
  return [
    ...(isAny ? classNames(classes).map((name, index) => entry(name, classes.colorOf(index))) : []),
    entry(say('nicht im Vergleich, oder nichts', 'not in the comparison, or nothing'), NEUTRAL),
  ];
}

/** Borders of municipalities are large: they are loaded where one is shown. */
const levelsOf = (regions: readonly RegionOrCountry[]): readonly MapLevel[] =>
  (['bundesland', 'landkreis', 'gemeinde'] as const).filter(
    (level) => level === 'bundesland' || regions.some((region) => region?.level === level),
  );

function areaOf(region: RegionOrCountry, boundaries: ReadonlyMap<MapLevel, Boundaries>): Area | null {
  if (region === null || region.level === 'plz') return null;
  const level = boundaries.get(region.level);
  return region.level === 'bundesland'
    ? (level?.areas.find(({ name }) => name === region.value) ?? null)
    : (level?.byKey.get(region.value) ?? null);
}
