import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { macroStatements } from '../../../ingest/duckdb/sql-files.ts';
import { statementsIn } from '../../../ingest/duckdb/statements-in.ts';

describe('a text of SQL', () => {
  it('is taken apart where a line ends a statement, not where a comment ends with a semicolon', () => {
    const text = [
      '-- Before the first; nothing;',
      'CREATE TABLE a (',
      '  b VARCHAR, -- one; two;',
      '  c VARCHAR',
      ');',
      '',
      'INSERT INTO a SELECT 1; ',
      '-- The rest;',
      'SELECT 2',
    ];
    expect(statementsIn(text.join('\n')).map((one) => one.trim())).toEqual([
      text.slice(0, 5).join('\n'),
      text[6]!.trim(),
      text.slice(7).join('\n'),
    ]);
    expect(statementsIn('SELECT 1')).toEqual(['SELECT 1']);
    expect(statementsIn('SELECT 1;\n-- the end\n')).toEqual(['SELECT 1;']);
    expect(statementsIn('')).toEqual([]);
  });

  it('has as many statements as the engine finds in it, in each file', async () => {
    const folder = new URL('../../../sql/warehouse/duckdb/', import.meta.url).pathname;
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      // A placeholder stands for a name or a number; where it is a list of columns, the engine cannot parse the text.
      .map((text) => text.replaceAll(/'\{\{\w+\}\}'/g, `''`).replaceAll(/\{\{\w+\}\}/g, 'x'));
    let taken = 0;
    for (const text of [...texts, macroStatements()]) {
      const { count } = await connection.extractStatements(text).catch(() => ({ count: null }));
      if (count === null) continue;
      taken++;
      expect([statementsIn(text).length, text]).toEqual([count, text]);
    }
    expect(taken).toBeGreaterThan(30);
    connection.closeSync();
    instance.closeSync();
  });
});
