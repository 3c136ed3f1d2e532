import { z } from 'zod';
import type { KeyValue } from '../../sql/query/keyset.ts';
import type { Call, OperationResult } from '../operation/operation.ts';
import type { Notation } from '../wire/notation.ts';
import { listMetaShape, openPage } from '../wire/paging.ts';
import { criteriaOf } from './criteria.ts';
import { deltaOf, syncMeta, syncShape } from './delta.ts';
import { actorsBeside, referenceFields } from './expand.ts';
import { featureCollection, featureCollectionShape, GEO_JSON } from './geojson.ts';
import type { UnitsQuestion } from './question.ts';
import { readPage } from './read.ts';
import { chosenFields } from './selection.ts';
import { sortKeys } from './sort.ts';
import { LINK_FIELDS, listedUnit, unitFrom } from './unit.ts';

/** The list of units, page by page, whichever way it was asked for. */

const UNITS = '/v1/units';

const meta = z.strictObject({
  page: z.strictObject({ ...listMetaShape, total: z.int() }).meta({ id: 'PageMeta' }),
  sync: syncShape.optional().describe('On the last page'),
});

/** The answer in its forms, as both operations declare them. */
export const UNITS_ANSWER = {
  answer: z.strictObject({ data: z.array(listedUnit), meta }),
  otherMedia: { [GEO_JSON]: featureCollectionShape(meta) },
  problems: [
    'UNKNOWN_FIELD',
    'NOT_SORTABLE',
    'UNKNOWN_SIGNAL',
    'FILTER_CONFLICT',
    'SIGNAL_NOT_ENTITLED',
    'NOT_FOUND',
    'DELTA_ANCHOR_TOO_OLD',
    'SYNC_TOKEN_INVALID',
  ],
} as const;

interface Asked {
  readonly question: UnitsQuestion;
  readonly notation: Notation;
  /** The question as the query of GET /v1/units, which the links of a page repeat. */
  readonly search: URLSearchParams;
  readonly call: Pick<Call, 'caller' | 'dataset' | 'media' | 'records' | 'service' | 'today'>;
}

/** One page. Total and rows are read from one dataset version; how many there are decides how they are found. */
export async function unitsAnswer({ question, notation, search, call }: Asked): Promise<OperationResult> {
  const { caller, service, today } = call;
  const { expand = [] } = question;
  const conditions = await criteriaOf(question, call);
  const shown = chosenFields(question, caller);
  const sort = sortKeys(question.sort ?? []);
  const walk = openPage({
    path: UNITS,
    query: question,
    notation,
    search,
    service,
    question: [
      conditions.map(({ filter, value }) => [filter.name, value]),
      sort.map(({ field, direction }) => [field.name, direction]),
      question.syncToken ?? question.updatedSince ?? null,
    ],
  });
  const dataset = call.dataset();
  const { version, publishedAt } = dataset.publication;
  const state = { conditions, dataset, service, today };
  const delta = deltaOf({ question, notation, ...state });
  // A walk may cross versions: the next delta has to begin behind what the oldest of its pages has said.
  const versions = [...new Set([...String(walk.memo?.versions ?? version).split(' '), version])];
  const watermark = String(walk.memo?.watermark ?? publishedAt);
  const fields = [...new Set([...shown, ...LINK_FIELDS, ...referenceFields(expand)])];
  // Within one version the total does not change: a walk counts once.
  const told = walk.memo?.version === version ? Number(walk.memo.total) : null;
  const { after, delivered, fetchLimit: limit } = walk;
  const asked = { conditions, sort, after, delivered, limit, total: told, today };
  const { rows, total } = await readPage(dataset, asked, fields, delta);
  const page = walk.page(rows, (row) => sort.map(({ field }) => (row[field.name] ?? null) as KeyValue), {
    version,
    versions: versions.join(' '),
    watermark,
    total,
  });
  const beside = await actorsBeside(expand, page.rows, dataset);
  const units = page.rows.map((row) => ({ ...unitFrom(row, shown, caller, service.settings), ...beside(row) }));
  const { hasMore, truncated } = page.meta;
  const sync = hasMore ? {} : { sync: syncMeta({ versions, watermark, truncated, ...state }) };
  const envelope = { page: { ...page.meta, total }, ...sync };
  const asFeatures = question.format === undefined ? call.media === GEO_JSON : question.format === 'geojson';
  return asFeatures
    ? { headers: page.headers, media: GEO_JSON, body: featureCollection(units, page.rows, envelope) }
    : { headers: page.headers, body: { data: units, meta: envelope } };
}
