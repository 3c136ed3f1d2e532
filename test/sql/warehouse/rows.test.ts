import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { openFormerRows } from '../../../sql/warehouse/rows/former.ts';
import {
  BLOCK_ROWS,
  CHECKSUM_BYTES,
  fieldCode,
  fieldIndex,
  LAYOUTS,
  type Layout,
  LINE_FEED,
  MAGIC,
  TAIL_BYTES,
  UNIT_SEPARATOR,
} from '../../../sql/warehouse/rows/layout.ts';
import { mergedRuns, wholeRuns } from '../../../sql/warehouse/rows/merge.ts';
import { openRowFile, type RowFile } from '../../../sql/warehouse/rows/reader.ts';
import { bytesOf, rowsInOrder } from '../../../sql/warehouse/rows/rows.ts';
import { createRowFile } from '../../../sql/warehouse/rows/writer.ts';
import { cases } from '../../support/cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'rows-'));
const path = join(folder, 'units.rows');
afterAll(() => rmSync(folder, { recursive: true }));

const names = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `${kind}${index}`);

/** More fields with codes than ASCII has characters for. */
const FIELDS = { fields: names('coded', 120), placed: names('placed', 5) };
const FORM = { ...FIELDS, basis: 'a basis' };
const COLUMNS = ['mastrNummer', ...FIELDS.fields, ...FIELDS.placed];

interface Unit {
  readonly digits: number;
  /** Of other fields than the number. */
  readonly values: Readonly<Record<string, string>>;
}

const valuesOf = ({ digits, values }: Unit): Record<string, string> => ({
  mastrNummer: unitNumberOf(digits),
  ...values,
});

const placedTexts = ({ values }: Unit): string[] => FIELDS.placed.map((name) => values[name] ?? '');

const codedTexts = (fields: readonly string[], values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    fields.includes(name) ? [String.fromCodePoint(fieldCode(fields.indexOf(name))) + value] : [],
  );

const rowOf = (unit: Unit): string =>
  [unitNumberOf(unit.digits), ...codedTexts(FIELDS.fields, unit.values), '', ...placedTexts(unit)].join(UNIT_SEPARATOR);

/** Writes rows like the build. */
const rowsOf = (units: readonly Unit[]): Buffer => Buffer.from(units.map((unit) => rowOf(unit) + LINE_FEED).join(''));

const runsOf = (rows: Buffer) => wholeRuns(rowsInOrder(rows));

/** Writes a file in several calls. */
function write(...pieces: readonly (readonly Unit[])[]): void {
  const file = createRowFile(path, FORM);
  expect(pieces.map((units) => file.append(runsOf(rowsOf(units))))).toEqual(pieces.map(({ length }) => length));
  expect(file.finish()).toBe(pieces.flat().length);
}

function open<Result>(work: (file: RowFile) => Result): Result {
  const file = openRowFile(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

describe('a written file is read back', () => {
  const unit: fc.Arbitrary<Unit> = fc.record({
    digits: fc.integer({ min: 0, max: 999_999_999_999 }),
    // Texts have the characters that XML permits.
    values: fc.dictionary(
      fc.constantFrom(...COLUMNS.slice(1)),
      fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `${[...text].filter((one) => one >= ' ').join('')}.`),
    ),
  });

  test('returns any units in any order, and null for numbers that are missing', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(unit, { selector: ({ digits }) => digits, maxLength: 4 * BLOCK_ROWS }),
        fc.infiniteStream(fc.nat()),
        (units, random) => {
          const sorted = units.toSorted((a, b) => a.digits - b.digits);
          const shuffle = (some: readonly Unit[]) => some.toSorted(() => ((random.next().value ?? 0) % 3) - 1);
          // Within a piece, rows can have any order.
          const [first = 0, second = 0] = [random.next().value, random.next().value]
            .map((number) => (number ?? 0) % (units.length + 1))
            .sort((a, b) => a - b);
          write(shuffle(sorted.slice(0, first)), shuffle(sorted.slice(first, second)), sorted.slice(second));
          open((file) => {
            expect(file.units).toBe(units.length);
            expect([...file.damagedBlocks()]).toEqual([]);
            const shuffled = shuffle(units);
            const columns = new Set(COLUMNS.filter(() => (random.next().value ?? 0) % 4 > 0));
            const read = file.read(
              shuffled.map(({ digits }) => unitNumberOf(digits)),
              columns,
            );
            const chosen = (texts: { get(name: string): string | undefined }) =>
              [...columns].map((name) => texts.get(name));
            expect(read.map((texts) => chosen(texts!))).toEqual(
              shuffled.map((one) => chosen(new Map(Object.entries(valuesOf(one))))),
            );
            const [all] = file.read([unitNumberOf(sorted[0]?.digits ?? 0)], new Set(COLUMNS));
            expect(Object.fromEntries(all ?? [])).toEqual(sorted.length === 0 ? {} : valuesOf(sorted[0]!));
            for (const { digits } of units) {
              const next = digits + 1;
              expect(file.has(unitNumberOf(next))).toBe(units.some((other) => other.digits === next));
            }
          });
        },
      ),
      { numRuns: cases(50) },
    );
  });

  test('is the same file, in whatever pieces and order its rows came', () => {
    const units = Array.from({ length: 11 }, (_, place) => ({ digits: 7 * place, values: { placed1: `${place}` } }));
    write(units);
    const whole = readFileSync(path);
    write([], units.slice(0, 3).reverse(), units.slice(3, 4), units.slice(4).reverse());
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  test('returns null for numbers that no unit can have', () => {
    write([{ digits: 900_000_000_001, values: {} }]);
    open((file) => {
      expect(
        ['SEE900000000001', 'ABR900000000001', 'SEE90000000000', 'SEE9000000000019', 'SEE', ''].map(file.has),
      ).toEqual([true, false, false, false, false, false]);
      expect(file.read(['SEE900000000002'], new Set(COLUMNS))).toEqual([null]);
    });
  });
});

describe('rows of the version before', () => {
  const former = join(folder, 'former.rows');
  const unitOf = (digits: number, value: string): Unit => ({ digits, values: { placed1: value } });
  /** More blocks than are read at once. */
  const MANY = Array.from({ length: 512 * BLOCK_ROWS + 3 }, (_, place) => unitOf(2 * place, `Ort ${place}`));

  const writeFormer = (units: readonly Unit[]): void => {
    write(units);
    renameSync(path, former);
  };

  /**
   * Writes the file of these units: the changed ones anew, by slices that end with these numbers, the others from the former file.
   * @returns also the rows that came in the place of others, each with both texts
   */
  function merge(changed: readonly Unit[], departed: readonly number[], ends: readonly number[]) {
    const rows = openFormerRows(former, FORM.basis)!;
    const file = createRowFile(path, FORM);
    const replaced: string[][] = [];
    try {
      for (const [slice, to] of ends.entries()) {
        const from = ends[slice - 1] ?? -1;
        const isHere = (digits: number) => digits > from && digits <= to;
        const added = rowsOf(changed.filter(({ digits }) => isHere(digits)).toReversed());
        const kept = { to, departed: new Set(departed.filter(isHere)) };
        file.append(
          mergedRuns(rows, rowsInOrder(added), kept, (...both) => replaced.push(both.map((run) => `${bytesOf(run)}`))),
        );
      }
      file.finish();
    } finally {
      rows.close();
      file.abort();
    }
    return { bytes: readFileSync(path), replaced };
  }

  const LAST = 10_000;

  test('with others make the file that all of them make when they are written from nothing', () => {
    const digits = fc.integer({ min: 0, max: 60 });
    const units = fc.uniqueArray(digits, { maxLength: 40 });
    fc.assert(
      fc.property(units, units, units, units, (before, changed, departed, ends) => {
        writeFormer(before.toSorted((a, b) => a - b).map((number) => unitOf(number, 'before')));
        const anew = changed
          .map((number) => unitOf(number, `${number}`.repeat(number)))
          .sort((a, b) => a.digits - b.digits);
        const gone = departed.filter((number) => !changed.includes(number));
        const { bytes: merged, replaced } = merge(anew, gone, [...ends.sort((a, b) => a - b), LAST]);
        const both = anew.filter(({ digits }) => before.includes(digits));
        expect(replaced).toEqual(
          both.map((unit) => [`${rowsOf([unitOf(unit.digits, 'before')])}`, `${rowsOf([unit])}`]),
        );
        const kept = before.filter((number) => ![...changed, ...gone].includes(number));
        write([...anew, ...kept.map((number) => unitOf(number, 'before'))]);
        expect(merged.equals(readFileSync(path))).toBe(true);
      }),
      { numRuns: cases(50) },
    );
  });

  test.each([
    ['nothing', [], []],
    ['a unit among the first ones', [unitOf(1, 'new')], []],
    ['the first unit less', [], [0]],
    ['the last unit less', [], [MANY.at(-1)!.digits]],
    ['a unit more, a changed one and one less', [unitOf(5, 'new'), unitOf(2 * 512 * BLOCK_ROWS, 'changed')], [4096]],
  ])('are read in several steps: %s has changed', (_, changed, departed) => {
    writeFormer(MANY);
    const { bytes: merged } = merge(changed, departed, [4000, LAST]);
    const isKept = ({ digits }: Unit) => ![...departed, ...changed.map((unit) => unit.digits)].includes(digits);
    write([...changed, ...MANY.filter(isKept)]);
    expect(merged.equals(readFileSync(path))).toBe(true);
  });

  test('are not kept when one of them is not as it was written', () => {
    writeFormer(MANY);
    const whole = readFileSync(former);
    for (const at of [0, 20, 50_000]) {
      const bytes = Buffer.from(whole);
      bytes[at] = bytes[at]! ^ 1;
      writeFileSync(former, bytes);
      expect(() => merge([], [], [LAST])).toThrow(
        /former\.rows is damaged: the rows from SEE\d+ on are not as they were/,
      );
    }
  });

  test('are not kept when the index is not as it was written, or a part of the file is missing', () => {
    writeFormer(MANY);
    const whole = readFileSync(former);
    for (const at of [whole.length - 9000, whole.indexOf(FORM.basis)]) {
      const bytes = Buffer.from(whole);
      bytes[at] = bytes[at]! ^ 1;
      writeFileSync(former, bytes);
      expect(() => openFormerRows(former, FORM.basis)).toThrow(
        'former.rows is damaged: its index is not as it was written',
      );
    }
    writeFileSync(former, whole.subarray(0, -1));
    expect(() => openFormerRows(former, FORM.basis)).toThrow('former.rows is damaged: it is no complete row file');
  });

  test('are not kept when they are of another basis, or of an earlier release', () => {
    writeFormer(MANY);
    expect(openFormerRows(former, 'another basis')).toBeNull();
    const bytes = readFileSync(former);
    bytes.write('unitrow3', bytes.length - MAGIC.length, 'latin1');
    writeFileSync(former, bytes);
    expect(openFormerRows(former, FORM.basis)).toBeNull();
  });
});

describe('files of earlier releases', () => {
  const fields = ['mastrNummer', 'name', 'ort'];
  const units: Unit[] = Array.from({ length: 6 }, (_, place) => ({
    digits: 3 * place,
    values: place % 2 === 0 ? { name: `ä${place}`, ort: 'Ort' } : { ort: 'A\u001b^B' },
  }));

  /** Writes a file in which every value has a code. */
  function writeOld({ magic, rowEnd, hasChecksums }: Layout): void {
    const rows = units.map((unit) => Buffer.from(codedTexts(fields, valuesOf(unit)).join(UNIT_SEPARATOR) + rowEnd));
    const blocks = [Buffer.concat(rows.slice(0, BLOCK_ROWS)), Buffer.concat(rows.slice(BLOCK_ROWS))];
    const offsets = Float64Array.of(0, blocks[0]!.length, blocks[0]!.length + blocks[1]!.length);
    const checksums = hasChecksums ? Uint32Array.from(blocks, (block) => crc32(block)) : new Uint32Array(0);
    const numbers = Float64Array.from(units, ({ digits }) => digits);
    const header = Buffer.from(JSON.stringify({ units: units.length, blockRows: BLOCK_ROWS, fields }));
    const index = Buffer.concat([...[offsets, checksums, numbers].map(({ buffer }) => Buffer.from(buffer)), header]);
    const tail = Buffer.alloc(TAIL_BYTES);
    tail.writeUInt32LE(crc32(index));
    tail.writeUInt32LE(header.length, 4);
    tail.write(magic, 8, 'latin1');
    writeFileSync(path, Buffer.concat([...blocks, index, hasChecksums ? tail : tail.subarray(CHECKSUM_BYTES)]));
  }

  test.each([...LAYOUTS].filter(([magic]) => magic !== MAGIC))('%s is read', (_, layout) => {
    writeOld(layout);
    open((file) => {
      expect(file.hasChecksums).toBe(layout.hasChecksums);
      expect([...file.damagedBlocks()]).toEqual([]);
      const read = file.read(
        units.map(({ digits }) => unitNumberOf(digits)),
        new Set(['mastrNummer', 'ort']),
      );
      expect(read.map((texts) => Object.fromEntries(texts!))).toEqual(
        units.map((unit, place) => ({
          mastrNummer: unitNumberOf(unit.digits),
          ort: place % 2 === 0 ? 'Ort' : 'A\u001eB',
        })),
      );
    });
  });
});

test('gives each field its own code, which is no control character', () => {
  const codes = FIELDS.fields.map((_, index) => fieldCode(index));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.map(fieldIndex)).toEqual(FIELDS.fields.map((_, index) => index));
  expect(codes.filter((code) => code < 0x21 || (code >= 0x7f && code <= 0xa0))).toEqual([]);
});

describe('the writer refuses', () => {
  const one: Unit = { digits: 900_000_000_002, values: { placed1: 'x' } };
  const [row] = [rowsOf([one])];

  test.each<[string, readonly Buffer[], string]>([
    ['a unit that comes again', [row, row], 'SEE900000000002 does not come after the unit before it'],
    ['a unit twice in a piece', [Buffer.concat([row, row])], 'SEE900000000002 does not come after the unit before it'],
    ['a unit of an earlier piece', [row, rowsOf([{ ...one, digits: 1 }])], 'SEE000000000001 does not come after'],
    ['a row that is cut off', [row.subarray(0, -1)], 'The last row has no end'],
    ['a number that is cut off', [Buffer.from('SEE9000000\n')], 'A row does not begin with the number of a unit'],
    [
      'a number with a digit more',
      [Buffer.from('SEE9000000000021\u001f\u001f\n')],
      'A row does not begin with the number',
    ],
    ['what follows a line feed in a value', [Buffer.concat([row, Buffer.from('Windrad\n')])], 'A row does not begin'],
  ])('%s', (_, pieces, message) => {
    const file = createRowFile(path, FORM);
    expect(() => {
      for (const piece of pieces) file.append(runsOf(piece));
    }).toThrow(message);
    file.abort();
  });
});

test('the reader refuses half a file', () => {
  write([{ digits: 900_000_000_001, values: {} }]);
  const whole = readFileSync(path);
  writeFileSync(path, whole.subarray(0, whole.length - 1));
  expect(() => openRowFile(path)).toThrow('units.rows is damaged: it is no complete row file');
});
