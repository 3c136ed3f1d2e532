import { independent, type Question } from '../question.ts';
import type { Random } from '../random.ts';

/** Units in a part of the map: PostgreSQL is not asked, as it has no index of places. */

/** A point of Germany or just outside of it, in degrees. */
const pointOf = (random: Random) => ({
  longitude: 6 + random.below(8000) / 1000,
  latitude: 47.5 + random.below(7000) / 1000,
});

/** The tile that has the point (web Mercator). */
function tileOf({ longitude, latitude }: ReturnType<typeof pointOf>, zoom: number): string {
  const tiles = 2 ** zoom;
  const mercator = Math.asinh(Math.tan((latitude * Math.PI) / 180));
  const [column, row] = [(tiles * (longitude + 180)) / 360, (tiles * (1 - mercator / Math.PI)) / 2];
  return `/v1/tiles/${zoom}/${Math.floor(column)}/${Math.floor(row)}.mvt`;
}

const KILOMETRES = [2, 10, 25];
const ZOOMS = [6, 8, 10, 12];

export const SPACE_QUESTIONS: readonly Question[] = [
  {
    id: 'space',
    name: 'aggregation in a circle',
    aims: { p50: 15, p99: 80 },
    requests: independent((_, random) => {
      const { longitude, latitude } = pointOf(random);
      const circle = `${longitude},${latitude},${random.of(KILOMETRES)}`;
      return { path: `/v1/aggregations?groupBy=einheitTyp&umkreis=${circle}`, sql: [], pairs: () => [] };
    }),
  },
  {
    id: 'tile',
    name: 'tile of the map',
    aims: { p50: 15, p99: 400 },
    requests: independent((_, random) => ({
      path: tileOf(pointOf(random), random.of(ZOOMS)),
      sql: [],
      pairs: () => [],
    })),
  },
];
