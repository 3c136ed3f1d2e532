import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type WarehouseValue, withLiterals } from '../../../sql/query/statement.ts';
import { cases } from '../../support/cases.ts';

/** Values written into a statement (sql/query/statement.ts). */

type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>;

let connection: Connection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});

async function answerOf(text: string, values: Readonly<Record<string, WarehouseValue>>) {
  const reader = await connection.runAndReadAll(withLiterals({ text, values }));
  return reader.getRowObjectsJS();
}

/** Characters that could end a literal. */
const wild = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom("'", "''", '"', '--', '\n', '/*', '*/', ';', '\\', '\0', '$a', '$$', '{{a}}', 'x', 'ß', '🌬'))
    .map((parts) => parts.join('')),
);

describe('values written into a statement', () => {
  it('come back unchanged, whatever their characters', async () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
    const some = fc.record({ a: wild, b: number, c: fc.boolean(), d: fc.array(wild), e: fc.constant(null) });
    await fc.assert(
      fc.asyncProperty(some, async (values) => {
        const text = 'SELECT $a AS a, $b AS b, $c AS c, $d AS d, $e AS e';
        expect(await answerOf(text, values)).toEqual([values]);
      }),
      { numRuns: cases(300) },
    );
  });

  it('come back unchanged in long lists, whatever their characters', async () => {
    const some = fc.array(fc.oneof({ weight: 20, arbitrary: wild }, fc.constant('\u001f')), {
      ...{ minLength: 101, maxLength: 120 },
    });
    await fc.assert(
      fc.asyncProperty(some, async (list) => {
        expect(await answerOf('SELECT $list AS list, typeof($list) AS type', { list })).toEqual([
          { list, type: 'VARCHAR[]' },
        ]);
      }),
      { numRuns: cases(50) },
    );
  });

  it('have the types of bound values', async () => {
    const values = { a: 'x', b: 1, c: true, d: ['x'], f: [] };
    const text = 'SELECT typeof($a) AS a, typeof($b) AS b, typeof($c) AS c, typeof($d) AS d, typeof($f) AS f';
    expect(await answerOf(text, values)).toEqual([
      { a: 'VARCHAR', b: 'DOUBLE', c: 'BOOLEAN', d: 'VARCHAR[]', f: 'VARCHAR[]' },
    ]);
  });

  it('replace parameters only: not texts, names and comments', async () => {
    const text = `SELECT '$a ''$a' AS "$a""" -- $a\n, $a AS b`;
    expect(await answerOf(text, { a: "it's\n" })).toEqual([{ '$a"': "$a '$a", b: "it's\n" }]);
  });

  it('are required for every parameter', () => {
    expect(() => withLiterals({ text: 'SELECT $a, $b', values: { a: 1 } })).toThrow(
      'The statement has no value for $b',
    );
    expect(() => withLiterals({ text: 'SELECT $a', values: { a: Number.NaN } })).toThrow(
      'NaN cannot be written as a literal',
    );
  });
});
