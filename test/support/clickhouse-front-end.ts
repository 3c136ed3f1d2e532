import { createRequire } from 'node:module';
import { DataType, load, open } from 'ffi-rs';

/**
 * The process of clickhouse-server.ts: the engine of the package chdb with its own HTTP front end, until a signal ends it.
 * The library takes the words of clickhouse-local, and the call returns when that has ended.
 */

const require = createRequire(import.meta.url);

/** Beside the engine for Node that the tests use otherwise. */
const library = require.resolve(`@chdb/lib-${process.platform}-${process.arch}-gnu/libchdb.so`);

const words = ['clickhouse-local', ...process.argv.slice(2)];

open({ library: 'chdb', path: library });
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.Void,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [words.length, words],
});
