import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  digitsOf,
  duckdbMastrBits,
  duckdbMastrNumber,
  isMastrNumber,
  mastrBits,
  unitNumberOf,
} from '../../../sql/register/mastr-number.ts';
import { cases } from '../../support/cases.ts';

const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const digits = fc.integer({ min: 0, max: 999_999_999_999 });
const number = fc
  .tuple(letter, letter, letter, digits)
  .map(([first, second, third, rest]) => `${first}${second}${third}${String(rest).padStart(12, '0')}`);

describe('a MaStR number', () => {
  it.each(['', 'SEE', 'SEE90000000000', 'SEE9000000000001', 'see900000000001', ' SEE900000000001', 'SEE90000000000１'])(
    'is not %j',
    (text) => expect(isMastrNumber(text)).toBe(false),
  );

  it('has the same order as its 64 bits', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(mastrBits(a) < mastrBits(b)).toBe(a < b);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('of a unit is its digits', () => {
    fc.assert(
      fc.property(digits, (value) => {
        expect(digitsOf(unitNumberOf(value))).toBe(value);
      }),
    );
    expect(digitsOf('ABR900000000001')).toBeNaN();
  });

  it('has the same bits in DuckDB, which finds the number in them again', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`CREATE MACRO bits_of(number) AS ${duckdbMastrBits('number')}`);
    await connection.run(`CREATE MACRO number_of(bits) AS ${duckdbMastrNumber('bits')}`);
    const samples = ['AAA000000000000', 'ZZZ999999999999', 'SEE900000000001', ...fc.sample(number, 200)];
    const listed = samples.map((sample) => `'${sample}'`).join(', ');
    const reader = await connection.runAndReadAll(
      `SELECT number, bits_of(number), number_of(bits_of(number)) FROM (SELECT unnest([${listed}]) AS number)`,
    );
    expect(reader.getRowsJS()).toEqual(samples.map((sample) => [sample, mastrBits(sample), sample]));
    connection.closeSync();
    instance.closeSync();
  });
});
