import { z } from 'zod';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import type { KeyValue } from '../../sql/query/keyset.ts';
import { ceilingHint, hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import type { ImpersonalCall, OperationResult } from '../operation/operation.ts';
import { momentOf, mustHoldAt, stateShape } from '../state/state.ts';
import type { Notation } from '../wire/notation.ts';
import { listMetaShape, openPage, readMemo, versionsRead } from '../wire/paging.ts';
import { deltaOf, syncMeta, syncShape } from './delta.ts';
import { featureCollection, featureCollectionShape, GEO_JSON } from './geojson.ts';
import { conditionsOf, type UnitsQuestion } from './question.ts';
import { readPage } from './read.ts';
import { expandedActors, referenceFields } from './selection.ts';
import { spaceMeta, spaceShape } from './space.ts';
import { LINK_FIELDS, listedUnit, unitFrom } from './unit.ts';

/** The list of units, page by page, for GET and POST alike. */

const UNITS = '/v1/units';

const meta = z.strictObject({
  page: z.strictObject({ ...listMetaShape, total: z.int() }).meta({ id: 'PageMeta' }),
  sync: syncShape.optional().describe('On the last page, without `stand`'),
  ...stateShape,
  ...spaceShape,
  ...hintsShape,
});

/** The answer in its forms, as both operations declare them, which give the same answers. */
export const UNITS_ANSWER = {
  family: 'units',
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

/**
 * One page. Total and rows are read from one dataset version; how many there are decides how they are found.
 * @param notation of the question, for faults in it
 */
export async function unitsAnswer(call: ImpersonalCall<UnitsQuestion>, notation: Notation): Promise<OperationResult> {
  const { question, service } = call;
  const { expand } = question;
  const conditions = conditionsOf(question.conditions);
  const shown = question.fields.map(fieldNamed);
  const sort = question.sort.map(({ field, direction }) => ({ field: fieldNamed(field), direction }));
  const list = openPage({
    path: UNITS,
    query: question,
    notation,
    search: null,
    service,
    question: [
      conditions.map(({ filter, value }) => [filter.name, value]),
      question.sort.map(({ field, direction }) => [field, direction]),
      question.syncToken ?? question.updatedSince ?? null,
      ...(question.stand === undefined ? [] : [question.stand]),
    ],
  });
  mustHoldAt(question.stand, conditions, notation);
  const { version: dataset, today, state: past, asOf, stateMeta } = await momentOf(question.stand, call, notation);
  const { version, publishedAt } = dataset.publication;
  const state = { conditions, dataset, service, today };
  const delta = deltaOf({ query: question, notation, ...state });
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
  const signals = new Set(question.signals);
  const units = page.rows.map((row) => Object.assign(unitFrom(row, shown, signals, service.settings), expanded(row)));
  const { hasMore, truncated } = page.meta;
  // The next delta would lead from the present state.
  const sync = hasMore || past !== null ? {} : { sync: syncMeta({ versions, watermark, truncated, ...state }) };
  const { hinweise = [] } = await hintsOf(question.repeatsValues ? openValues(conditions) : [], total === 0, dataset);
  if (truncated) {
    hinweise.push(ceilingHint(total, delta !== null, question.dumps ? `${service.settings.BASE_URL}/dumps` : null));
  }
  // A delta is a part of what the filters find.
  const space = delta === null ? await spaceMeta({ conditions, today }, total, dataset) : {};
  const hints = hinweise.length === 0 ? {} : { hinweise };
  const envelope = { page: { ...page.meta, total }, ...sync, ...stateMeta, ...space, ...hints };
  return call.media === GEO_JSON
    ? { page: page.links, media: GEO_JSON, body: featureCollection(units, page.rows, envelope) }
    : { asOf, page: page.links, columns: columnsOf(question), body: { data: units, meta: envelope } };
}

/** A table has what was asked for; the links, which repeat the number in each row, only where `fields` names them. */
const columnsOf = ({ fields, updatedSince, syncToken, expand, linkColumns }: UnitsQuestion): string[] => [
  ...fields,
  ...(updatedSince === undefined && syncToken === undefined ? [] : ['geloescht']),
  ...expand.map((name) => `expanded.${name}`),
  ...(linkColumns ? ['links'] : []),
];
