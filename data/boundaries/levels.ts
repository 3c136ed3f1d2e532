import { feature, mergeArcs } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { entryOf } from '../../runtime/present.ts';
import { polygonArea } from './area.ts';
import { type Detail, simplified } from './simplify.ts';
import type { Area, Source } from './source.ts';
import { exactTopology, geometriesOf } from './topology.ts';

/** States, districts and municipalities, all from the municipalities: so each level covers exactly what the others do. */

export const LEVELS = {
  bundeslaender: { digits: 2, detail: { leastTriangleKm2: 0.3, leastIslandKm2: 2, grid: 8_000 } },
  landkreise: { digits: 5, detail: { leastTriangleKm2: 0.08, leastIslandKm2: 1, grid: 12_000 } },
  gemeinden: { digits: 8, detail: { leastTriangleKm2: 0.1, leastIslandKm2: 0.3, grid: 16_000 } },
} as const satisfies Record<string, { readonly digits: number; readonly detail: Detail }>;
export type Level = keyof typeof LEVELS;

/** The map knows this of an area besides its borders. */
interface Properties {
  readonly name: string;
  /** Of a district: `Landkreis`, `Kreisfreie Stadt`, …. */
  readonly art?: string;
  /** Land, before points are left out. */
  readonly flaecheKm2: number;
}

/** The names of a level by key. */
function describe(
  { municipalities, districts, states }: Source,
  level: Level,
): (key: string) => Omit<Properties, 'flaecheKm2'> {
  if (level === 'bundeslaender') return (key) => ({ name: entryOf(states, key) });
  if (level === 'landkreise')
    return (key) => {
      const { name, kind } = entryOf(districts, key);
      return { name, art: kind };
    };
  const names = new Map(municipalities.map(({ key, name }) => [key, name]));
  return (key) => ({ name: entryOf(names, key) });
}

/** The topology of each level, whose object bears the name of the level. */
export function* levelsOf(source: Source): Generator<readonly [Level, Topology]> {
  const exact = exactTopology(source.municipalities);
  const geometries = geometriesOf(exact, 'areas');
  const surfaces = source.municipalities.map(({ key, polygons }) => ({
    key,
    km2: polygons.reduce((sum, rings) => sum + polygonArea(rings), 0),
  }));
  for (const level of Object.keys(LEVELS) as Level[]) {
    const { digits, detail } = LEVELS[level];
    const keyOf = (key: string): string => key.slice(0, digits);
    const parts = Map.groupBy(geometries, ({ id }) => keyOf(`${id}`));
    const areas = [...parts].map(([key, list]): Area => {
      const merged = feature(exact, mergeArcs(exact, list)).geometry;
      return { key, name: '', polygons: merged.coordinates };
    });
    const km2Of = Map.groupBy(surfaces, ({ key }) => keyOf(key));
    const nameOf = describe(source, level);
    const topology = simplified(areas, detail);
    const described = geometriesOf(topology, 'areas').map(({ type, id, arcs }) => {
      const key = `${id}`;
      const km2 = entryOf(km2Of, key).reduce((sum, part) => sum + part.km2, 0);
      return { type, id: key, properties: { ...nameOf(key), flaecheKm2: Math.round(km2 * 100) / 100 }, arcs };
    });
    yield [level, { ...topology, objects: { [level]: { type: 'GeometryCollection', geometries: described } } }];
  }
}
