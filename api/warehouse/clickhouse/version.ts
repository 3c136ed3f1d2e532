import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { bound } from '../../../sql/query/bound.ts';
import { clickhouse, clickhouseProjections } from '../../../sql/query/clickhouse.ts';
import type { Statement } from '../../../sql/query/statement.ts';
import {
  type OpenVersion,
  type QueryLimits,
  type QueryTag,
  type Reading,
  rememberedTotals,
  timed,
  type VersionMeter,
} from '../version.ts';
import { faultOf } from './faults.ts';
import { readingSettings } from './session.ts';
import { rowFieldsOf, unitsOfRows } from './units.ts';

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
  const counted = async <Row>(statement: Statement, settings: ClickHouseSettings): Promise<Row[]> => {
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
    const totals = rememberedTotals();
    return {
      readFor(tag) {
        const query: Reading['query'] = (statement) =>
          counted(statement, { ...settings, log_comment: logComment(tag) });
        return {
          dialects: { units: clickhouse, projections: clickhouseProjections },
          query,
          total: (statement) => totals(statement, query),
          units: unitsOfRows(query, fields, meter),
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
  statement: Statement,
  settings: ClickHouseSettings,
  meter: VersionMeter,
): Promise<Row[]> {
  const question = bound(statement);
  const ended = timed(meter);
  try {
    const result = await client.query({ ...question, format: 'JSONEachRow', clickhouse_settings: settings });
    const rows = await result.json<Record<string, unknown>>();
    for (const row of rows) withoutEmptyLists(row);
    ended('done');
    return rows as Row[];
  } catch (error) {
    const fault = faultOf(error);
    ended(fault === error ? 'failed' : 'exhausted');
    throw fault;
  }
}

/** A list cannot be NULL there: the empty one stands for none (sql/warehouse/clickhouse/columns.ts). */
function withoutEmptyLists(row: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(row)) if (Array.isArray(value) && value.length === 0) row[name] = null;
}
