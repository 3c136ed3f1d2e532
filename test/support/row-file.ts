import type { DuckDBConnection } from '@duckdb/node-api';
import { appendPieces } from '../../ingest/assembly/row-pieces.ts';
import { copyRows } from '../../sql/warehouse/duckdb/rows.ts';

const ALL = { from: 0, to: 999_999_999_999 };

/** Writes the row file of the units of a database, like the build. */
export async function writeRowFile(connection: DuckDBConnection, path: string): Promise<void> {
  await connection.run(copyRows('units', ALL, `${path}.1`));
  const file = appendPieces(path);
  await file.append(`${path}.1`);
  await file.finish();
}
