import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFor } from '../../../ingest/stage/plan.ts';
import { duckdbSliceOf, sliceCount, sliceOf, sliceRanges } from '../../../ingest/stage/slices.ts';
import { mastrBits, unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { stage } from '../../support/staged.ts';
import { plainDocument, record } from '../../support/xml.ts';

/** Units are worked on slice by slice: every number belongs to one slice, whichever way one asks. */

const digits = fc.oneof(
  fc.integer({ min: 900_000_000_000, max: 999_999_999_999 }),
  fc.integer({ min: 0, max: 999_999_999_999 }),
);
const slices = fc.integer({ min: 1, max: 60 });

describe('slices', () => {
  it('have ranges without gaps that cover every possible number', () => {
    fc.assert(
      fc.property(slices, (count) => {
        const ranges = sliceRanges(count);
        expect(ranges).toHaveLength(count);
        expect(ranges[0]!.from).toBe(0);
        expect(ranges.at(-1)!.to).toBe(999_999_999_999);
        for (let slice = 1; slice < count; slice++) expect(ranges[slice]!.from).toBe(ranges[slice - 1]!.to + 1);
      }),
    );
  });

  it('and ranges agree with the number of a slice', () => {
    fc.assert(
      fc.property(slices, digits, (count, number) => {
        const ranges = sliceRanges(count);
        const { from, to } = ranges[sliceOf(number, count)]!;
        expect(number).toBeGreaterThanOrEqual(from);
        expect(number).toBeLessThanOrEqual(to);
        for (const [slice, range] of ranges.entries()) {
          expect(sliceOf(range.from, count)).toBe(slice);
          expect(sliceOf(range.to, count)).toBe(slice);
        }
      }),
    );
  });

  it('are the same for the engine', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const counts = [1, 2, 3, 7, 24, 60];
    const edges = counts.flatMap((count) => sliceRanges(count).flatMap(({ from, to }) => [from, to]));
    const list = [...new Set(edges)].map((number) => mastrBits(unitNumberOf(number)));
    const columns = counts.map((count) => `${duckdbSliceOf('bits', count)} AS "${count}"`);
    const rows = await connection.runAndReadAll(
      `SELECT (bits & ${2 ** 40 - 1})::DOUBLE, ${columns.join(', ')} FROM (SELECT unnest([${list.join(', ')}]::BIGINT[]) AS bits)`,
    );
    for (const [number, ...found] of rows.getRowsJS() as number[][])
      expect([number, ...found]).toEqual([number, ...counts.map((count) => sliceOf(number!, count))]);
    connection.closeSync();
    instance.closeSync();
  });

  it('are at least one, and more for more bytes', () => {
    expect(sliceCount(0)).toBe(1);
    expect(sliceCount(1)).toBe(1);
    expect(sliceCount(50_000_000_000)).toBeGreaterThan(10);
  });
});

describe('rows of a table that is sliced', () => {
  const catalogues = { values: new Map<number, string>(), systemLists: new Map<string, Map<number, string>>() };
  const plan = planFor('EinheitenWind', catalogues)!;
  // 21 rows in a row group: rows of several slices are interleaved, with nulls and values of every kind among them.
  const numbers = Array.from({ length: 400 }, (_, row) => 900_000_000_000 + ((row * 7_919_123_457) % 100_000_000_000));
  const text = plainDocument(
    numbers.map((number, row) =>
      record({
        EinheitMastrNummer: `SEE${number}`,
        ...(row % 3 === 0 ? {} : { Bruttoleistung: `${row}.5`, Inbetriebnahmedatum: '2020-01-02' }),
        ...(row % 5 === 0 ? {} : { Gemeindeschluessel: String(row).padStart(8, '0') }),
      }),
    ),
  );
  const select = `slice, _zeile, Gemeindeschluessel, Bruttoleistung::VARCHAR AS Bruttoleistung,
    (EinheitMastrNummer & ${2 ** 40 - 1})::VARCHAR AS number`;

  it.each([1, 2, 7])('are in the slice of their number, %i in all, each with its own values', async (count) => {
    const { rows } = await stage(plan, text, { select, slices: count, bytes: 640 });
    expect(plan.sliced).toBe(true);
    expect(rows).toEqual(
      numbers.map((number, row) => ({
        slice: sliceOf(number, count),
        _zeile: row + 1,
        number: String(number),
        Bruttoleistung: row % 3 === 0 ? null : `${row}.500`,
        Gemeindeschluessel: row % 5 === 0 ? null : String(row).padStart(8, '0'),
      })),
    );
    expect(new Set(rows.map(({ slice }) => slice)).size).toBe(count);
  });
});
