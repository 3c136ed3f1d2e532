import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import {
  csvHeader,
  csvLine,
  DUMP_COLUMNS,
  DUMP_SOURCE,
  jsonLine,
  typedColumns,
} from '../../sql/warehouse/duckdb/dump.ts';
import { versionFile } from '../../sql/warehouse/versions.ts';
import { BuildRefused } from '../build/refused.ts';
import { literal } from '../build/statements.ts';
import type { DumpOptions, DumpSource } from './source.ts';

/** Rows whose columns are held in memory until they are written, some 150 MB. */
const ROW_GROUP = 40_960;

const LOOK_MILLISECONDS = 200;

/**
 * A version of a warehouse folder. It stays readable until it is closed, also when it is pruned meanwhile: an open file
 * outlives its name.
 * @throws BuildRefused when an older release has built the version
 */
export async function openDuckdbSource(folder: string, version: string, options: DumpOptions): Promise<DumpSource> {
  const instance = await DuckDBInstance.create(versionFile(folder, version), {
    access_mode: 'READ_ONLY',
    // More threads than one hold a row group each, and are slower for it.
    threads: '1',
    memory_limit: `${options.memoryMb}MB`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    await mustHaveColumns(connection, version);
    return await sourceOver(connection, instance, options);
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function sourceOver(
  connection: DuckDBConnection,
  instance: DuckDBInstance,
  { today, signal }: DumpOptions,
): Promise<DumpSource> {
  const about = await connection.runAndReadAll(
    `SELECT CAST(exportDay AS VARCHAR), CAST((SELECT count(*) ${DUMP_SOURCE}) AS INTEGER) FROM dataset`,
  );
  const [exportDay, units] = about.getRowsJS()[0] as [string, number];
  const interrupt = () => connection.interrupt();
  signal.addEventListener('abort', interrupt);
  return {
    exportDay,
    units,
    async *records(format) {
      if (format === 'csv') yield [csvHeader()];
      const record = format === 'csv' ? csvLine(today) : jsonLine(today);
      const result = await connection.stream(`SELECT ${record} ${DUMP_SOURCE}`);
      for (
        let chunk = await result.fetchChunk();
        chunk !== null && chunk.rowCount > 0;
        chunk = await result.fetchChunk()
      ) {
        signal.throwIfAborted();
        yield chunk.getColumnValues(0) as string[];
      }
    },
    async parquet(path, metadata, advance) {
      const tags = Object.entries(metadata).map(([name, value]) => `"${name}": ${literal(value)}`);
      const watch = watchProgress(connection, units, advance);
      // The engine counts what a statement has read only where it would show a bar.
      await connection.run('SET enable_progress_bar = true');
      await connection.run('SET enable_progress_bar_print = false');
      await connection
        .run(
          `COPY (SELECT ${typedColumns(today)} ${DUMP_SOURCE}) TO ${literal(path)}
           (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP}, KV_METADATA {${tags.join(', ')}})`,
        )
        .finally(() => watch.stop());
      watch.done();
    },
    close() {
      signal.removeEventListener('abort', interrupt);
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function mustHaveColumns(connection: DuckDBConnection, version: string): Promise<void> {
  const found = await connection.runAndReadAll(
    "SELECT column_name FROM duckdb_columns() WHERE NOT internal AND table_name = 'units'",
  );
  const present = new Set(found.getRowsJS().map(([name]) => name));
  const missing = DUMP_COLUMNS.filter((name) => !present.has(name));
  if (missing.length === 0) return;
  throw new BuildRefused(
    `${version} was built by an older release and has no ${missing.join(', ')}: build the export again`,
  );
}

/** Asks a running statement again and again how far it is. */
function watchProgress(connection: DuckDBConnection, units: number, advance: (units: number) => void) {
  let told = 0;
  const tell = (so: number) => {
    if (so <= told) return;
    advance(so - told);
    told = so;
  };
  const timer = setInterval(() => {
    tell(Math.round((units * Math.max(0, connection.progress.percentage)) / 100));
  }, LOOK_MILLISECONDS);
  return { stop: () => clearInterval(timer), done: () => tell(units) };
}
