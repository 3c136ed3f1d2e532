import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { appendPieces } from '../../ingest/assembly/row-pieces.ts';
import { copyRows, rowBasis } from '../../sql/warehouse/duckdb/rows.ts';
import { rowFile, versionFile } from '../../sql/warehouse/versions.ts';

const ALL = { from: 0, to: 999_999_999_999 };

/** Writes the row file of the units of a database, like the first build. */
export async function writeRowFile(connection: DuckDBConnection, path: string): Promise<void> {
  await connection.run(copyRows('units', ALL, `${path}.1`));
  const [[engineVersion]] = (
    await connection.runAndReadAll('SELECT library_version FROM pragma_version()')
  ).getRows() as [[string]];
  const file = appendPieces(path, rowBasis(engineVersion));
  await file.append(`${path}.1`, null);
  await file.finish();
}

/** Compares the row file of a version with one that is written from nothing, byte for byte. */
export async function isAsFromNothing(warehouse: string, version: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'rows-'));
  const instance = await DuckDBInstance.create(versionFile(warehouse, version), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    await writeRowFile(connection, join(folder, 'units.rows'));
    return readFileSync(join(folder, 'units.rows')).equals(readFileSync(rowFile(warehouse, version)));
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}
