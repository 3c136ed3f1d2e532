import { z } from 'zod';
import { duckdb } from '../../sql/query/duckdb.ts';
import type { KeyValue } from '../../sql/query/keyset.ts';
import { pageStatement, totalStatement, type UnitQuestion } from '../../sql/query/units.ts';
import { operation } from '../operation.ts';
import { linkHeader } from '../wire/link.ts';
import { always, text, wholeNumber } from '../wire/parameters.ts';
import { conditionsOf, filterParameters, rangesAreOrdered } from './filters.ts';
import { DEFAULT_PAGE, LARGEST_PAGE, pageMeta, pageSize, positionOf, questionDigest } from './paging.ts';
import { sortKeys, sortParameter } from './sort.ts';
import { LIST_FIELDS, type UnitRow, unitFrom, unitShape } from './unit.ts';

const PATH = '/v1/units';

const query = z
  .strictObject({
    limit: wholeNumber(1, LARGEST_PAGE).optional().describe(`Units per page, default ${DEFAULT_PAGE}`),
    cursor: text().optional().describe('Opaque, from the page before; bound to filters and sort'),
    sort: sortParameter
      .optional()
      .describe('field:asc or field:desc, several comma-separated; nulls last; default mastrNummer:asc'),
    ...filterParameters,
  })
  .superRefine(rangesAreOrdered, always);

const pageMetaShape = z.strictObject({
  count: z.int(),
  hasMore: z.boolean(),
  cursor: z.string().nullable(),
  total: z.int(),
  truncated: z.boolean(),
});

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
    data: z.array(unitShape(LIST_FIELDS)),
    meta: z.strictObject({ page: pageMetaShape }),
  }),
  async handle({ query, search, service, today, dataset }) {
    const { settings, cursors } = service;
    const conditions = conditionsOf(query);
    const sort = sortKeys(query.sort ?? []);
    const digest = questionDigest(conditions, sort);
    const position = positionOf(query.cursor, digest, cursors);
    const size = pageSize(query.limit ?? DEFAULT_PAGE, position);
    const question: UnitQuestion = {
      fields: LIST_FIELDS,
      conditions,
      sort,
      after: position?.key ?? null,
      // One row more than the page shows whether the list goes on.
      limit: size + 1,
      today,
    };

    const source = dataset();
    const [rows, [{ total } = { total: 0 }]] = await Promise.all([
      source.query<UnitRow>(pageStatement(question, duckdb)),
      source.query<{ total: number }>(totalStatement(question, duckdb)),
    ]);
    const shown = rows.slice(0, size);
    const lastRow = shown.at(-1);
    const lastKey = sort.map(({ field }) => (lastRow?.[field.name] ?? null) as KeyValue);
    const page = pageMeta({ count: shown.length, more: rows.length > size, lastKey }, total, position, digest, cursors);
    const link = linkHeader(settings.BASE_URL, PATH, search, page.cursor);
    return {
      headers: link === null ? {} : { Link: link },
      body: { data: shown.map((row) => unitFrom(row, LIST_FIELDS, settings)), meta: { page } },
    };
  },
});
