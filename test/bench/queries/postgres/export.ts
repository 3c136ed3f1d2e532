import { DuckDBInstance } from '@duckdb/node-api';

/** A process that writes what a statement finds in a version as CSV to its standard output: export.ts <file> <statement>. */
const [file, statement] = process.argv.slice(2);
const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
const connection = await instance.connect();
await connection.run(`COPY (${statement}) TO '/dev/stdout' (FORMAT csv, HEADER false)`);
connection.closeSync();
instance.closeSync();
