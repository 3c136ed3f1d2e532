import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import pLimit from 'p-limit';
import { z } from 'zod';
import { acrossShards, clickhouse, clickhouseProjections } from '../../../sql/query/clickhouse.ts';
import { type WarehouseStatement, withQueryParams } from '../../../sql/query/statement.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import {
  checkedRows,
  columnMissing,
  dialectsOf,
  keptRows,
  type OpenVersion,
  type QueryLimits,
  type QueryTag,
  STATEMENT_SECONDS,
  startTimer,
  type VersionMeter,
  type VersionReader,
} from '../version.ts';
import { isUnknownColumn, translatedError } from './faults.ts';
import type { StatementSender } from './sender.ts';
import { readingSettings } from './session.ts';
import { rowFieldsOf, unitReader } from './units.ts';

/**
 * A statement ends within this time, counted from its request: longer than it may run, so that the server can report why it
 * cancelled one.
 */
export const ANSWER_SECONDS = STATEMENT_SECONDS + 10;

const DIALECTS = { units: clickhouse, projections: clickhouseProjections };

const TABLES = 'SELECT name, engine FROM system.tables WHERE database = currentDatabase()';

const COLUMNS =
  "SELECT name, table FROM system.columns WHERE database = currentDatabase() AND table IN ('units', 'units_by_number', 'units_ersetzt')";

const columnRow = z.strictObject({ name: z.string(), table: z.string() });

const tableRow = z.strictObject({ name: z.string(), engine: z.string() });

/**
 * Opens a version for reading.
 * @param client connects to its database while it is opened
 * @param sender sends the statements of requests; closed with the version
 * @param connections that the sender opens; more statements wait here
 */
export async function openClickhouseVersion(
  client: ClickHouseClient,
  sender: StatementSender,
  limits: QueryLimits,
  meter: VersionMeter,
  connections: number,
): Promise<OpenVersion> {
  const limit = pLimit(connections);
  try {
    const settings = await readingSettings(client, limits);
    const found = await queryRows(client, tableRow, TABLES);
    const tables = new Set(found.map(({ name }) => name));
    const fields = await rowFieldsOf(client, tables);
    const rows = await queryRows(client, columnRow, COLUMNS);
    const columnsOf = (table: string) => new Set(rows.flatMap((row) => (row.table === table ? [row.name] : [])));
    const columns = columnsOf('units');
    const [projected, replaced] = [columnsOf('units_by_number'), columnsOf('units_ersetzt')];
    const placed = dialectsOf(DIALECTS, { tables, columns, replaced, projected });
    const dialects = found.some(({ engine }) => engine === 'Distributed') ? acrossShards(placed) : placed;
    const keep = keptRows();
    return {
      reader(tag) {
        const comment = { log_comment: logComment(tag) };
        const settingsOf = ({ readsInOrder = false }: WarehouseStatement): ClickHouseSettings => ({
          ...(readsInOrder ? settings.inOrder : settings.usual),
          ...comment,
        });
        const query: VersionReader['query'] = async (shape, statement) => {
          // The timer includes the wait for a connection.
          const ended = startTimer(meter);
          try {
            const rows = await inTime((signal) =>
              limit(() => run(sender, statement, settingsOf(statement), ended, signal)),
            );
            return await checkedRows(shape, rows, statement);
          } catch (error) {
            throw isUnknownColumn(error) ? columnMissing(error, columns) : error;
          }
        };
        return {
          dialects,
          tables,
          query,
          ...keep(query),
          units: unitReader(query, fields, meter),
          search: null,
          orders: null,
          regionDays: null,
        };
      },
      connections: () => ({
        busy: limit.activeCount,
        idle: connections - limit.activeCount,
        waiting: limit.pendingCount,
      }),
      // The server checks its own files.
      damage: () => null,
      close: () => sender.close(),
    };
  } catch (error) {
    sender.close();
    throw error;
  } finally {
    await client.close();
  }
}

/**
 * Gives work up when its time is over. Statements wait behind each other for a connection, so that each would wait for as
 * long as all those before it if the server hangs.
 * @throws Problem SERVICE_UNAVAILABLE
 */
async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const reason = new Error(`No answer within ${ANSWER_SECONDS} seconds`);
    controller.abort(reason);
    late.reject(translatedError(reason));
  }, ANSWER_SECONDS * 1000);
  try {
    return await Promise.race([work(controller.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The server records it with the statement (system.query_log, log_comment). */
const logComment = ({ operation, request, trace }: QueryTag): string =>
  JSON.stringify({ operation, request, ...(trace === null ? {} : { trace }) });

async function run(
  sender: StatementSender,
  statement: WarehouseStatement,
  settings: ClickHouseSettings,
  ended: ReturnType<typeof startTimer>,
  signal: AbortSignal,
): Promise<object[]> {
  try {
    signal.throwIfAborted();
    const rows = await sender.query(withQueryParams(statement), settings, signal);
    ended('done');
    return rows;
  } catch (error) {
    const translated = translatedError(error);
    ended(translated === error ? 'failed' : 'exhausted');
    throw translated;
  }
}
