import { z } from 'zod';
import type { UnitField } from '../../sql/catalogue/field.ts';
import type { KeyValue } from '../../sql/query/keyset.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import type { Call, OperationResult } from '../operation/operation.ts';
import { readMemo, versionsRead } from '../wire/cursor.ts';
import type { Notation } from '../wire/notation.ts';
import { listMetaShape, openPage } from '../wire/paging.ts';
import { resolveConditions } from './conditions.ts';
import { deltaOf, syncMeta, syncShape } from './delta.ts';
import { expandedActors, referenceFields } from './expand.ts';
import { featureCollection, featureCollectionShape, GEO_JSON } from './geojson.ts';
import type { UnitsQuery } from './query.ts';
import { readPage } from './read.ts';
import { chosenFields } from './selection.ts';
import { sortKeys } from './sort.ts';
import { LINK_FIELDS, listedUnit, unitFrom } from './unit.ts';

/** The list of units, page by page, for GET and POST alike. */

const UNITS = '/v1/units';

const meta = z.strictObject({
  page: z.strictObject({ ...listMetaShape, total: z.int() }).meta({ id: 'PageMeta' }),
  sync: syncShape.optional().describe('On the last page'),
  ...hintsShape,
});

/** The answer in its forms, as both operations declare them. */
export const UNITS_ANSWER = {
  answer: z.strictObject({ data: z.array(listedUnit), meta }),
  otherMedia: { [GEO_JSON]: featureCollectionShape(meta) },
  table: 'data',
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

interface UnitsCall {
  readonly query: UnitsQuery;
  readonly notation: Notation;
  /** The same as the query of GET /v1/units, which the links of a page repeat. */
  readonly search: URLSearchParams;
  readonly call: Pick<Call, 'caller' | 'dataset' | 'media' | 'records' | 'service' | 'today'>;
}

/** One page. Total and rows are read from one dataset version; how many there are decides how they are found. */
export async function unitsAnswer({ query, notation, search, call }: UnitsCall): Promise<OperationResult> {
  const { caller, service, today } = call;
  const { expand = [] } = query;
  const conditions = await resolveConditions(query, call);
  const shown = chosenFields(query, caller);
  const sort = sortKeys(query.sort ?? []);
  const list = openPage({
    path: UNITS,
    query,
    notation,
    search,
    service,
    question: [
      conditions.map(({ filter, value }) => [filter.name, value]),
      sort.map(({ field, direction }) => [field.name, direction]),
      query.syncToken ?? query.updatedSince ?? null,
    ],
  });
  const dataset = call.dataset();
  const { version, publishedAt } = dataset.publication;
  const state = { conditions, dataset, service, today };
  const delta = deltaOf({ query, notation, ...state });
  // The pages of a list may come from several versions: the next delta has to begin where the oldest of them did.
  const versions = [...new Set([...versionsRead(list), version])];
  const watermark = String(list.memo?.watermark ?? publishedAt);
  const fields = [...new Set([...shown, ...LINK_FIELDS, ...referenceFields(expand)])];
  // The total does not change within one version, so it is counted once.
  const knownTotal = list.memo?.version === version ? Number(list.memo.total) : null;
  const { after, delivered, fetchLimit: limit } = list;
  const request = { conditions, sort, after, delivered, limit, total: knownTotal, today };
  const { rows, total } = await readPage(dataset, request, fields, delta);
  const page = list.page(rows, (row) => sort.map(({ field }) => (row[field.name] ?? null) as KeyValue), {
    memo: { version, ...readMemo(versions), watermark, total },
  });
  const expanded = await expandedActors(expand, page.rows, dataset);
  const units = page.rows.map((row) => ({ ...unitFrom(row, shown, caller, service.settings), ...expanded(row) }));
  const { hasMore, truncated } = page.meta;
  const sync = hasMore ? {} : { sync: syncMeta({ versions, watermark, truncated, ...state }) };
  // The criteria of a saved filter can be asked for, but not read.
  const open = query.savedFilterId === undefined ? openValues(conditions) : [];
  const hints = await hintsOf(open, total === 0, dataset);
  const envelope = { page: { ...page.meta, total }, ...sync, ...hints };
  return call.media === GEO_JSON
    ? { headers: page.headers, media: GEO_JSON, body: featureCollection(units, page.rows, envelope) }
    : { headers: page.headers, columns: columnsOf(shown, query), body: { data: units, meta: envelope } };
}

/** A table has what was asked for; the links, which repeat the number in each row, only where `fields` names them. */
const columnsOf = (shown: readonly UnitField[], query: UnitsQuery): string[] => [
  ...shown.map(({ name }) => name),
  ...(query.updatedSince === undefined && query.syncToken === undefined ? [] : ['geloescht']),
  ...(query.expand ?? []).map((name) => `expanded.${name}`),
  ...(query.fields?.includes('links') === true ? ['links'] : []),
];
