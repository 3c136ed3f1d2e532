import { z } from 'zod';
import { duckdb } from '../../sql/query/duckdb.ts';
import type { KeyValue } from '../../sql/query/keyset.ts';
import { pageStatement, totalStatement } from '../../sql/query/units.ts';
import { operation } from '../operation.ts';
import { queryNotation } from '../wire/notation.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { always } from '../wire/parameters.ts';
import { mustBeEntitledTo } from './entitlements.ts';
import { conditionsOf, rangesAreOrdered, unitFilterShape } from './filters.ts';
import { sortKeys, sortParameter } from './sort.ts';
import { LIST_FIELDS, type UnitRow, unitFrom, unitShape } from './unit.ts';

const PATH = '/v1/units';

const query = z
  .strictObject({
    ...pageParameters,
    sort: sortParameter
      .optional()
      .describe('field:asc or field:desc, several comma-separated; nulls last; default mastrNummer:asc'),
    ...unitFilterShape(queryNotation),
  })
  .superRefine(rangesAreOrdered, always);

const pageMetaShape = z.strictObject({ ...listMetaShape, total: z.int() }).meta({ id: 'PageMeta' });

/** Units that meet every filter, page by page. Page and total are read from one dataset version, side by side. */
export const listUnits = operation({
  id: 'units.list',
  method: 'GET',
  path: PATH,
  summary: 'List assets',
  access: 'api',
  scope: 'units:read',
  module: 'analysis',
  cost: 'standard',
  source: 'register',
  pathParameters: z.strictObject({}),
  query,
  media: 'application/json',
  answer: z.strictObject({
    data: z.array(unitShape(LIST_FIELDS).meta({ id: 'Unit' })),
    meta: z.strictObject({ page: pageMetaShape }),
  }),
  problems: ['NOT_SORTABLE', 'UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED'],
  example: { query: 'einheitTyp=wind,solar&bundesland=Bayern&sort=bruttoleistungKw:desc&limit=3' },
  async handle({ query, search, service, caller, today, dataset }) {
    const conditions = conditionsOf(query);
    mustBeEntitledTo(conditions, caller);
    const sort = sortKeys(query.sort ?? []);
    const question = { fields: LIST_FIELDS, conditions, sort, today };
    const source = dataset();
    const [page, [{ total } = { total: 0 }]] = await Promise.all([
      pageOf<UnitRow>({
        path: PATH,
        query,
        search,
        service,
        question: [
          conditions.map(({ filter, value }) => [filter.name, value]),
          sort.map(({ field, direction }) => [field.name, direction]),
        ],
        keyOf: (row) => sort.map(({ field }) => (row[field.name] ?? null) as KeyValue),
        read: (after, limit) => source.query<UnitRow>(pageStatement({ ...question, after, limit }, duckdb)),
      }),
      source.query<{ total: number }>(totalStatement(question, duckdb)),
    ]);
    return {
      headers: page.headers,
      body: {
        data: page.rows.map((row) => unitFrom(row, LIST_FIELDS, caller, service.settings)),
        meta: { page: { ...page.meta, total } },
      },
    };
  },
});
