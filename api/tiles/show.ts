import { z } from 'zod';
import { MOST_ZOOM } from '../../sql/query/tile-grid.ts';
import { reusableOperation } from '../operation/operation.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered, savedFilterStandsAlone, unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, fault, text, wholeNumber } from '../wire/parameters.ts';
import { tileBytes, VECTOR_TILE } from './encode.ts';
import { MOST_UNITS, readTile } from './read.ts';

/** The tiles of a zoom lie in a square. */
function tileIsThere({ z: zoom, x, y }: Readonly<Record<'x' | 'y' | 'z', number>>, context: z.RefinementCtx): void {
  const most = 2 ** zoom - 1;
  for (const [name, value] of [
    ['x', x],
    ['y', y],
  ] as const) {
    if (value > most)
      context.issues.push(
        fault('INVALID_PARAMETER', `must be a whole number from 0 to ${most} where z is ${zoom}`, [name]),
      );
  }
}

const coordinate = () => wholeNumber(0, 2 ** MOST_ZOOM - 1);

/** Units on a map, as map clients load them. */
export const showTile = reusableOperation({
  id: 'tiles.show',
  method: 'GET',
  path: '/v1/tiles/{z}/{x}/{y}.mvt',
  summary: 'Units of a tile of a map, as a vector tile',
  description: [
    'A Mapbox Vector Tile (2.1) in web mercator, extent 4096, of points, in up to two layers. `einheiten` has single units:',
    '`mastrNummer`, `name`, `einheitTyp`, `betriebsStatus`, `bruttoleistungKw`, and in `ortAusGemeinde` whether the point is that of the',
    'municipality, since no coordinates are published. `gruppen` has the units of each of 16 × 16 cells of the tile together:',
    '`anzahl`, `bruttoleistungKw`, `einheitTyp` (the carrier of most capacity), how many of them stand at the points of municipalities',
    '(`anGemeindepunkt`), and the cell as the filter `bbox` takes it, except at zoom 0, where it would be too large. What is not known is left out.',
    `Up to ${MOST_UNITS.toLocaleString('en')} units of a tile come one by one. Where there are more, those at municipalities are groups, and where`,
    'those with coordinates are more, all are. Each unit is in one tile of a zoom, either alone or in one group; a tile without units is',
    'empty.',
  ].join(' '),
  access: 'api',
  scope: 'units:read',
  module: 'analysis',
  cost: 'standard',
  source: 'register',
  dependsOnRecords,
  pathParameters: z
    .strictObject({
      z: wholeNumber(0, MOST_ZOOM).describe(`Zoom, 0 (the world) to ${MOST_ZOOM}`),
      x: coordinate().describe('Column from the west, below 2 to the power of z'),
      y: coordinate().describe('Row from the north, below 2 to the power of z'),
    })
    .superRefine(tileIsThere),
  query: z
    .strictObject({
      savedFilterId: text()
        .optional()
        .describe('Id of GET /v1/saved-filters: its criteria stand for all filters; none may stand beside it'),
      eventId: text().optional().describe('`eventId` of GET /v1/events: only the units of this event'),
      ...portfolioShape(queryNotation),
      ...unitFilterShape(queryNotation),
    })
    .superRefine(rangesAreOrdered, always)
    .superRefine(savedFilterStandsAlone, always),
  media: VECTOR_TILE,
  answer: null,
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { path: { z: '6', x: '33', y: '22' }, query: 'leistungMinKw=500' },
  async question({ path, query, caller, records, service }) {
    return { tile: path, conditions: asked(await resolveConditions(query, { caller, records, service })) };
  },
  async reply({ question, dataset, today }) {
    const version = dataset();
    const conditions = conditionsOf(question.conditions);
    const criteria = await withUnitsFound(version, { conditions, today });
    const { einheiten, gruppen } = await readTile(version, { ...criteria, tile: question.tile });
    return { rowCount: einheiten.length + gruppen.length, body: tileBytes({ einheiten, gruppen }) };
  },
});
