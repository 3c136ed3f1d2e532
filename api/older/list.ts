import { z } from 'zod';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import type { SortKey } from '../../sql/query/keyset.ts';
import { operation } from '../operation/operation.ts';
import { GEO_JSON } from '../units/geojson.ts';
import { readPage } from '../units/read.ts';
import { always, fault, oneWord, wholeNumber } from '../wire/parameters.ts';
import { cursorAfter, olderCursor } from './cursor.ts';
import { filterParameters, olderConditions } from './filters.ts';
import { countingRows } from './rows.ts';
import { LIST_FIELDS, listUnit, listUnitShape } from './unit.ts';

const DEFAULT_PAGE = 100;
const MAX_PAGE_SIZE = 1000;

/** The greatest capacity first, units of unknown capacity last. */
const SORT: readonly SortKey[] = [
  { field: fieldNamed('bruttoleistungKw'), direction: 'desc' },
  { field: fieldNamed('mastrNummer'), direction: 'asc' },
];

const query = z
  .strictObject({
    limit: wholeNumber(1, MAX_PAGE_SIZE).default(DEFAULT_PAGE).describe('Units per page'),
    cursor: olderCursor().optional().describe('`meta.cursor` of the page before'),
    ...filterParameters,
    format: oneWord(['json', 'geojson'])
      .optional()
      .describe('json (default) or geojson, an RFC 7946 FeatureCollection; it wins over `Accept`'),
  })
  .superRefine((filters, context) => {
    for (const [from, to] of RANGES) {
      const [low, high] = [filters[from], filters[to]];
      if (low !== undefined && high !== undefined && low > high) {
        context.issues.push(fault('FILTER_CONFLICT', `lies beyond ${to}`, [from]));
      }
    }
  }, always);

const RANGES = [
  ['inbetriebnahmeVon', 'inbetriebnahmeBis'],
  ['geplanteInbetriebnahmeVon', 'geplanteInbetriebnahmeBis'],
  ['leistungMin', 'leistungMax'],
] as const;

const meta = z.strictObject({ count: z.int(), cursor: z.string().nullable(), hasMore: z.boolean() });

const feature = z.strictObject({
  type: z.literal('Feature'),
  id: z.string(),
  geometry: z.strictObject({ type: z.literal('Point'), coordinates: z.tuple([z.number(), z.number()]) }).nullable(),
  properties: listUnitShape.omit({ latitude: true, longitude: true }),
});

/** Lists units for the older variant, the greatest capacity first. */
export const listOlderUnits = operation({
  id: 'older.units',
  method: 'GET',
  path: '/api/v1/units',
  summary: 'List units (older variant)',
  older: true,
  access: 'key',
  scope: 'units:read',
  cost: 'standard',
  metered: false,
  source: 'register',
  query,
  answer: z.strictObject({ data: z.array(listUnitShape), meta }),
  otherMedia: {
    [GEO_JSON]: z.strictObject({ type: z.literal('FeatureCollection'), features: z.array(feature), meta }),
  },
  problems: ['RATE_LIMIT_EXCEEDED'],
  example: { query: 'energyType=wind&leistungMin=3000&limit=3' },
  async handle({ query, media, today, dataset, caller, records }) {
    const { limit, cursor, format } = query;
    const question = {
      conditions: olderConditions(query),
      today,
      total: null,
      sort: SORT,
      after: cursor === undefined ? null : [cursor.kw, cursor.number],
      delivered: 0,
      // One more than the page has, which shows whether another page follows.
      limit: limit + 1,
    };
    let hasMore = false;
    const rows = await countingRows({ caller, records }, async () => {
      const { rows: found } = await readPage(dataset(), question, LIST_FIELDS);
      hasMore = found.length > limit;
      return found.slice(0, limit);
    });
    const last = rows.at(-1);
    const page = { count: rows.length, cursor: hasMore && last !== undefined ? cursorAfter(last) : null, hasMore };
    const units = rows.map(listUnit);
    const asGeoJson = format === undefined ? media === GEO_JSON : format === 'geojson';
    return asGeoJson
      ? { media: GEO_JSON, body: { type: 'FeatureCollection', features: units.map(featureOf), meta: page } }
      : { body: { data: units, meta: page } };
  },
});

function featureOf({ latitude, longitude, ...properties }: ReturnType<typeof listUnit>) {
  const hasCoordinates = typeof latitude === 'number' && typeof longitude === 'number';
  const geometry = hasCoordinates ? { type: 'Point', coordinates: [longitude, latitude] } : null;
  return { type: 'Feature', id: properties.mastrNummer, geometry, properties };
}
