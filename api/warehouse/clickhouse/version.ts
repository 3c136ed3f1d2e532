import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { withQueryParams } from '../../../sql/query/bound.ts';
import { clickhouse, clickhouseProjections } from '../../../sql/query/clickhouse.ts';
import type { WarehouseStatement } from '../../../sql/query/statement.ts';
import {
  type OpenVersion,
  type QueryLimits,
  type QueryTag,
  startTimer,
  totalCache,
  type VersionMeter,
  type VersionReader,
} from '../version.ts';
import { translatedError } from './faults.ts';
import { readingSettings } from './session.ts';
import { rowFieldsOf, unitReader } from './units.ts';

/**
 * Opens a version for reading.
 * @param client speaks to its database; closed with the version
 * @param most connections that the client opens
 */
export async function openVersion(
  client: ClickHouseClient,
  limits: QueryLimits,
  meter: VersionMeter,
  most: number,
): Promise<OpenVersion> {
  let asked = 0;
  const counted = async <Row>(statement: WarehouseStatement, settings: ClickHouseSettings): Promise<Row[]> => {
    asked++;
    try {
      return await run<Row>(client, statement, settings, meter);
    } finally {
      asked--;
    }
  };
  try {
    const settings = await readingSettings(client, limits);
    const fields = await rowFieldsOf(client);
    const totals = totalCache();
    return {
      reader(tag) {
        const query: VersionReader['query'] = (statement) =>
          counted(statement, { ...settings, log_comment: logComment(tag) });
        return {
          dialects: { units: clickhouse, projections: clickhouseProjections },
          query,
          total: (statement) => totals(statement, query),
          units: unitReader(query, fields, meter),
        };
      },
      connections: () => ({
        busy: Math.min(asked, most),
        idle: Math.max(0, most - asked),
        waiting: Math.max(0, asked - most),
      }),
      // The server watches over its own files.
      damage: () => null,
      close: () => void client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** What the server's log of statements says about one (system.query_log, log_comment). */
const logComment = ({ operation, request }: QueryTag): string => JSON.stringify({ operation, request });

async function run<Row>(
  client: ClickHouseClient,
  statement: WarehouseStatement,
  settings: ClickHouseSettings,
  meter: VersionMeter,
): Promise<Row[]> {
  const question = withQueryParams(statement);
  const ended = startTimer(meter);
  try {
    const result = await client.query({ ...question, format: 'JSONEachRow', clickhouse_settings: settings });
    const rows = await result.json<Record<string, unknown>>();
    for (const row of rows) withoutEmptyLists(row);
    ended('done');
    return rows as Row[];
  } catch (error) {
    const fault = translatedError(error);
    ended(fault === error ? 'failed' : 'exhausted');
    throw fault;
  }
}

/** A list cannot be NULL there: the empty one stands for none (sql/warehouse/clickhouse/columns.ts). */
function withoutEmptyLists(row: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(row)) if (Array.isArray(value) && value.length === 0) row[name] = null;
}
