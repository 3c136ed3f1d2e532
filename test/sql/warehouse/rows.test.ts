import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { BLOCK_ROWS, fieldCode, fieldIndex, UNIT_SEPARATOR } from '../../../sql/warehouse/rows/layout.ts';
import { openRowFile } from '../../../sql/warehouse/rows/reader.ts';
import { createRowFile } from '../../../sql/warehouse/rows/writer.ts';
import { cases } from '../../support/cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'rows-'));
const path = join(folder, 'units.rows');
afterAll(() => rmSync(folder, { recursive: true }));

const FIELDS = Array.from({ length: 180 }, (_, index) => `field${index}`);

/** Writes a row like the build. */
const rowOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => String.fromCodePoint(fieldCode(FIELDS.indexOf(name))) + value)
    .join(UNIT_SEPARATOR);

function write(units: readonly { digits: number; values: Readonly<Record<string, string>> }[]): void {
  const file = createRowFile(path, FIELDS);
  for (const { digits, values } of units) file.add(unitNumberOf(digits), rowOf(values));
  file.finish();
}

describe('a written file is read back', () => {
  const unit = fc.record({
    digits: fc.integer({ min: 0, max: 999_999_999_999 }),
    // A unit has at least its number; texts have the characters that XML permits.
    values: fc
      .dictionary(
        fc.constantFrom(...FIELDS),
        fc.string({ unit: 'grapheme' }).map((text) => [...text].filter((one) => one >= ' ').join('')),
      )
      .map((values) => ({ ...values, field0: 'x' })),
  });

  test('returns any units in any order, and null for numbers that are missing', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(unit, { selector: ({ digits }) => digits, maxLength: 4 * BLOCK_ROWS }),
        fc.infiniteStream(fc.nat()),
        (units, random) => {
          const sorted = units.toSorted((a, b) => a.digits - b.digits);
          write(sorted);
          const file = openRowFile(path);
          try {
            expect(file.units).toBe(units.length);
            const shuffled = units.toSorted(() => ((random.next().value ?? 0) % 3) - 1);
            const columns = new Set(FIELDS.filter(() => (random.next().value ?? 0) % 4 > 0));
            const read = file.read(
              shuffled.map(({ digits }) => unitNumberOf(digits)),
              columns,
            );
            const chosen = shuffled.map(({ values }) =>
              Object.fromEntries(Object.entries(values).filter(([name]) => columns.has(name))),
            );
            expect(read.map((texts) => Object.fromEntries(texts!))).toEqual(chosen);
            for (const { digits } of units) {
              const next = digits + 1;
              expect(file.has(unitNumberOf(next))).toBe(units.some((other) => other.digits === next));
            }
          } finally {
            file.close();
          }
        },
      ),
      { numRuns: cases(50) },
    );
  });

  test('returns null for numbers that no unit can have', () => {
    write([{ digits: 900_000_000_001, values: { field0: 'x' } }]);
    const file = openRowFile(path);
    expect(
      ['SEE900000000001', 'ABR900000000001', 'SEE90000000000', 'SEE9000000000019', 'SEE', ''].map(file.has),
    ).toEqual([true, false, false, false, false, false]);
    expect(file.read(['SEE900000000002'], new Set(FIELDS))).toEqual([null]);
    file.close();
  });
});

test('gives each field its own code, which is no control character', () => {
  const codes = FIELDS.map((_, index) => fieldCode(index));
  expect(new Set(codes).size).toBe(FIELDS.length);
  expect(codes.map(fieldIndex)).toEqual(FIELDS.map((_, index) => index));
  expect(codes.filter((code) => code < 0x21 || (code >= 0x7f && code <= 0xa0))).toEqual([]);
});

test('refuses units that are not in the order of their numbers', () => {
  const file = createRowFile(path, FIELDS);
  file.add('SEE900000000002', '!x');
  expect(() => file.add('SEE900000000002', '!x')).toThrow('SEE900000000002 does not come after the unit before it');
  file.abort();
});

test('refuses half a file', () => {
  write([{ digits: 900_000_000_001, values: { field0: 'x' } }]);
  const whole = readFileSync(path);
  writeFileSync(path, whole.subarray(0, whole.length - 1));
  expect(() => openRowFile(path)).toThrow('units.rows is damaged: it is no complete row file');
});
