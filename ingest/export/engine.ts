import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DUMP_COLUMNS } from '../../sql/warehouse/duckdb/dump.ts';
import { BuildRefused } from '../run/build-refused.ts';

/** The engine that writes a dump. */

/**
 * Memory limit of the engine, MB. A scan of every column holds a block of each, some 200 MB; more would only cache what is
 * not read again.
 */
const MEMORY_MB = 250;

export interface DumpEngine {
  readonly connection: DuckDBConnection;
  /** May be called twice. */
  close(): void;
}

/** @param path of a finished version, or `:memory:` */
export async function openEngine(path: string, signal: AbortSignal): Promise<DumpEngine> {
  const instance = await DuckDBInstance.create(path, {
    access_mode: path === ':memory:' ? 'READ_WRITE' : 'READ_ONLY',
    // More threads are slower here, since each holds a row group.
    threads: '1',
    memory_limit: `${MEMORY_MB}MB`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  const interrupt = () => connection.interrupt();
  signal.addEventListener('abort', interrupt);
  let isOpen = true;
  return {
    connection,
    close() {
      if (!isOpen) return;
      isOpen = false;
      signal.removeEventListener('abort', interrupt);
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** @throws BuildRefused when an older release has built the version */
export function requireDumpColumns(present: ReadonlySet<string>, version: string): void {
  const missing = DUMP_COLUMNS.filter((name) => !present.has(name));
  if (missing.length === 0) return;
  throw new BuildRefused(
    `${version} was built by an older release and has no ${missing.join(', ')}: build the export again`,
  );
}
