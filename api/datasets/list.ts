import { z } from 'zod';
import { licensed, SOURCE } from '../../sql/catalogue/licence.ts';
import type { Dialect } from '../../sql/query/dialect.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { operation } from '../operation/operation.ts';
import { SERVED_DATASETS, type ServedDataset } from './served.ts';

const shape = z
  .strictObject({
    name: z.string(),
    label: z.string(),
    source: z.string(),
    updateCycle: z.string(),
    granularity: z.enum(['day', 'year']),
    asOf: z.iso.date().nullable().describe('State of the data: the day of the export; null = unknown'),
    rows: z.int(),
    rowsExact: z.boolean(),
    endpoints: z.array(z.string()).describe('Where it is read'),
    lizenzen: z.array(
      z.strictObject({
        bezeichnung: z.string(),
        url: z.url(),
        bereitsteller: z.string(),
        giltFuer: z.string(),
        shareAlike: z.boolean(),
      }),
    ),
    veraendert: z.boolean().describe('Whether the data differ from the source'),
    aenderungsvermerk: z.string().nullable().describe('How they differ'),
    lizenzHinweis: z.string().nullable(),
    quellenvermerk: z.string().nullable().describe('The attribution that the licence asks for, ready to be shown'),
  })
  .meta({ id: 'Dataset' });

/** The datasets with their state and their licence. */
export const listDatasets = operation({
  id: 'datasets.list',
  method: 'GET',
  path: '/v1/datasets',
  summary: 'State and licence of each dataset',
  access: 'api',
  scope: 'reference:read',
  cost: 'standard',
  source: 'register',
  answer: z.strictObject({ data: z.array(shape), meta: z.strictObject({ count: z.int() }) }),
  async handle({ dataset }) {
    const { dialects, query } = dataset();
    const rows = await query(rowsRow, rowsStatement(dialects.units));
    const data = SERVED_DATASETS.map((served) => {
      const counted = firstRow(rows.filter(({ name }) => name === served.table));
      return entry(served, counted.rows, counted.asOf);
    });
    return { body: { data, meta: { count: data.length } } };
  },
});

const rowsRow = z.strictObject({ name: z.string(), rows: z.number(), asOf: z.string() });

/** The exact number of rows of each table, and the day of the export. */
const rowsStatement = (dialect: Dialect): WarehouseStatement => ({
  text: SERVED_DATASETS.map(
    ({ table, sums }) =>
      `SELECT '${table}' AS name, CAST(count(*) AS DOUBLE) AS rows, (SELECT CAST(exportDay AS VARCHAR) FROM dataset) AS "asOf" FROM ${sums ? dialect.summed(table) : table}`,
  ).join('\nUNION ALL\n'),
  values: {},
});

const entry = ({ name, label, endpoints, changes }: ServedDataset, rows: number, asOf: string) => ({
  name,
  label,
  source: SOURCE,
  updateCycle: 'täglich',
  granularity: 'day' as const,
  asOf,
  rows,
  rowsExact: true,
  endpoints: [...endpoints],
  ...licensed(asOf, changes),
});
