import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ColumnKind, STAGED_LIST_SEPARATOR } from '../../../ingest/stage/columns.ts';
import { ParquetFile } from '../../../ingest/stage/parquet.ts';
import type { StagingPlan } from '../../../ingest/stage/plan.ts';
import { cases, drawn } from '../../support/cases.ts';
import { anyCharacter } from '../../support/characters.ts';
import { inFolder, stage } from '../../support/staged.ts';
import { plainDocument, record } from '../../support/xml.ts';

/** DuckDB reads back exactly what is staged: every kind of column, any number of rows and of nulls. */

const LABELS: ReadonlyMap<number, string> = new Map([
  [1, 'Windenergie'],
  [2, 'Wärme & Kälte'],
  [3, 'Solare Strahlungsenergie'],
  [4, '\u{1f300}'],
]);

const KINDS: Readonly<Record<string, ColumnKind>> = {
  Nummer: { as: 'mastr' },
  Text: { as: 'text' },
  Tag: { as: 'day' },
  Zeit: { as: 'time' },
  Ganzzahl: { as: 'integer' },
  Ja: { as: 'boolean' },
  Leistung: { as: 'decimal', places: 3 },
  Grad: { as: 'decimal', places: 6 },
  Art: { as: 'label', labels: LABELS },
  Arten: { as: 'labels', labels: LABELS },
  Liste: { as: 'list' },
};

const NAMES = Object.keys(KINDS);

const PLAN: StagingPlan = {
  table: 'alle',
  kind: 'AlleArten',
  sliced: false,
  slots: new Map(['Schluessel', ...NAMES].map((name, slot) => [name, slot])),
  keySlot: 0,
  keyAs: 'text',
  columns: [
    {
      name: 'Schluessel',
      element: 'Schluessel',
      kind: { as: 'text' },
      slot: 0,
      notAvailableSlot: -1,
      repeatable: true,
    },
    ...NAMES.map((name, index) => ({
      name,
      element: name,
      kind: KINDS[name]!,
      slot: index + 1,
      notAvailableSlot: -1,
      repeatable: true,
    })),
    {
      name: 'Fehlt',
      element: 'Fehlt',
      kind: { as: 'label', labels: LABELS },
      slot: -1,
      notAvailableSlot: -1,
      repeatable: true,
    },
  ],
  withheld: [],
};

/** All columns as texts, so that nothing is lost on the way into JavaScript. */
const SELECT = `_datei, _zeile, _art, Schluessel, Fehlt, Text, Art, Arten, Liste, Nummer::VARCHAR AS Nummer,
  Tag::VARCHAR AS Tag, epoch_us(Zeit)::VARCHAR AS Zeit, Ganzzahl, Ja, Leistung::VARCHAR AS Leistung, Grad::VARCHAR AS Grad`;

type Cell = string | number | boolean;

/** A value as the export writes it, and as the engine reads it. */
type Sample = readonly [written: string, read: Cell];

const iso = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10);
const spread = (row: number, size: number): number => (row * 7919 + 104_729) % size;

/** Value of a row, different from row to row. */
const SAMPLES: Readonly<Record<string, (row: number) => Sample>> = {
  Nummer: (row) => {
    const digits = String(spread(row, 1_000_003) * 999_983).padStart(12, '0');
    return [`SEE${digits}`, String((18n * 676n + 4n * 26n + 4n) * 2n ** 40n + BigInt(digits))];
  },
  Text: (row) => {
    const text = ['Straße', `Anlage ${row}`, 'a & b', '日本', '\u{1f300}\u{10ffff}', 'x'.repeat(spread(row, 200) + 1)];
    return [text[row % 6]!, text[row % 6]!];
  },
  Tag: (row) => [iso(spread(row, 20_000) - 5000), iso(spread(row, 20_000) - 5000)],
  Zeit: (row) => [
    `${iso(spread(row, 20_000))}T12:34:56.${String(row % 1000).padStart(7, '0')}`,
    String(BigInt(spread(row, 20_000)) * 86_400_000_000n + 45_296_000_000n + BigInt(Math.floor((row % 1000) / 10))),
  ],
  Ganzzahl: (row) => [String(spread(row, 4096) - 2048), spread(row, 4096) - 2048],
  Ja: (row) => [String(spread(row, 5) % 2), spread(row, 5) % 2 === 1],
  Leistung: (row) => [`${spread(row, 999_983) * (row % 2 === 0 ? 1 : -1000)}.125`, ''],
  Grad: (row) => [`${row % 180}.${String(spread(row, 1_000_000)).padStart(6, '0')}`, ''],
  Art: (row) => [String((row % 4) + 1), LABELS.get((row % 4) + 1)!],
  Arten: (row) => [
    `${(row % 4) + 1}, 2;3`,
    [...new Set([(row % 4) + 1, 2, 3])].map((id) => LABELS.get(id)).join(STAGED_LIST_SEPARATOR),
  ],
  Liste: (row) => [`A${row} ,B;;C,`, [`A${row}`, 'B', 'C'].join(STAGED_LIST_SEPARATOR)],
};

/** Decimals are read as they are written, but for a minus before nothing. */
const readAs = (name: string, [written, read]: Sample): Cell =>
  name === 'Leistung' || name === 'Grad' ? written.replace(/^-(?=0\.1?0*$)/, '') : read;

function rowsOf(
  count: number,
  has: (row: number, column: number) => boolean,
): [string[], Record<string, Cell | null>[]] {
  const records: string[] = [];
  const expected: Record<string, Cell | null>[] = [];
  for (let row = 0; row < count; row++) {
    const written: Record<string, string> = { Schluessel: `k${row}` };
    const read: Record<string, Cell | null> = {
      _datei: 7,
      _zeile: row + 1,
      _art: 'AlleArten',
      Schluessel: `k${row}`,
      Fehlt: null,
    };
    for (const [column, name] of NAMES.entries()) {
      const sample = SAMPLES[name]!(row);
      read[name] = null;
      if (!has(row, column)) continue;
      written[name] = sample[0];
      read[name] = readAs(name, sample);
    }
    records.push(record(written));
    expected.push(read);
  }
  return [records, expected];
}

const NULLS: Readonly<Record<string, (row: number, column: number) => boolean>> = {
  'no nulls': () => true,
  'only nulls': () => false,
  'some nulls': (row, column) => spread(row, 11 + column) % 3 !== 0,
  'one value at the end': (row, column) => row % 9 === 8 && column % 2 === 0,
};

const COUNTS = [0, 1, 7, 8, 9, 64];
/** Of these, a run of the suite draws one for each kind of nulls. */
const MANY = [32_768, 32_769];

describe.each(Object.entries(NULLS))('with %s', (name, has) => {
  let records: string[];
  let expected: Record<string, Cell | null>[];
  let texts: string[];
  beforeAll(() => {
    [records, expected] = rowsOf(Math.max(...MANY), has);
    texts = expected.map((row) => JSON.stringify(row, NAMES));
  });

  it.each([...COUNTS, ...drawn(MANY, 1, Object.keys(NULLS).indexOf(name))])(
    '%i rows are read back unchanged',
    async (count) => {
      const { rows, staged, read, refused, findings } = await stage(PLAN, plainDocument(records.slice(0, count)), {
        select: SELECT,
      });
      expect({ staged, read, refused, findings }).toEqual({ staged: count, read: count, refused: 0, findings: [] });
      expect(rows).toHaveLength(count);
      for (let row = 0; row < count; row++) {
        if (JSON.stringify(rows[row], NAMES) !== texts[row]) expect(rows[row]).toEqual(expected[row]);
      }
      expect(rows.slice(-20)).toEqual(expected.slice(0, count).slice(-20));
    },
  );
});

describe('the file', () => {
  it('has the types that the tables expect', async () => {
    const { rows } = await stage(PLAN, plainDocument([record({ Schluessel: 'a' })]), {
      select: 'typeof(COLUMNS(* EXCLUDE slice))',
    });
    expect(rows).toEqual([
      {
        _datei: 'INTEGER',
        _zeile: 'INTEGER',
        _art: 'VARCHAR',
        Schluessel: 'VARCHAR',
        Nummer: 'BIGINT',
        Text: 'VARCHAR',
        Tag: 'DATE',
        Zeit: 'TIMESTAMP',
        Ganzzahl: 'INTEGER',
        Ja: 'BOOLEAN',
        Leistung: 'DECIMAL(18,3)',
        Grad: 'DECIMAL(18,6)',
        Art: 'VARCHAR',
        Arten: 'VARCHAR',
        Liste: 'VARCHAR',
        Fehlt: 'VARCHAR',
      },
    ]);
  });

  it('has all its rows, in as many pieces as they come', async () => {
    const [records, expected] = rowsOf(25, NULLS['some nulls']!);
    // A member of so few bytes holds few records: they are appended by threes.
    const { rows } = await stage(PLAN, plainDocument(records), { select: SELECT, bytes: 64 });
    expect(rows).toEqual(expected);
  });

  it.each([
    ['of one label', () => 1],
    ['of all labels', (row: number) => (row % 4) + 1],
  ])('with a dictionary %s', async (_, id) => {
    const ids = Array.from({ length: 100 }, (_, row) => id(row));
    const text = plainDocument(ids.map((each, row) => record({ Schluessel: `k${row}`, Art: String(each) })));
    expect((await stage(PLAN, text, { select: 'Art' })).rows).toEqual(ids.map((each) => ({ Art: LABELS.get(each) })));
  });

  /** More than two bytes can number, in every kind of column whose texts go into a dictionary, and in the others. */
  describe('of 70,000 rows without a repeated value', () => {
    const MANY = 70_000;
    const texts: ReadonlyMap<number, string> = new Map(
      Array.from({ length: MANY }, (_, id) => [id, `Ortsteil ${id} ä`] as const),
    );
    const WIDE: Readonly<Record<string, readonly [ColumnKind, (row: number) => string, (row: number) => Cell]>> = {
      label: [{ as: 'label', labels: texts }, String, (row) => texts.get(row)!],
      labels: [
        { as: 'labels', labels: texts },
        (row) => `${row}, 7`,
        (row) => [...new Set([row, 7])].map((id) => texts.get(id)).join(STAGED_LIST_SEPARATOR),
      ],
      list: [{ as: 'list' }, (row) => `SAN${row},x`, (row) => `SAN${row}${STAGED_LIST_SEPARATOR}x`],
      text: [{ as: 'text' }, (row) => `Anlage ${row}`, (row) => `Anlage ${row}`],
      integer: [{ as: 'integer' }, String, (row) => row],
      decimal: [{ as: 'decimal', places: 3 }, (row) => `${row}.125`, (row) => row + 0.125],
    };

    it.each(Object.entries(WIDE))('as %s: each row has its own value', async (_, [kind, written, expected]) => {
      const plan: StagingPlan = {
        ...PLAN,
        slots: new Map([
          ['Schluessel', 0],
          ['Wert', 1],
        ]),
        columns: [{ name: 'Wert', element: 'Wert', kind, slot: 1, notAvailableSlot: -1, repeatable: true }],
      };
      const rows = Array.from({ length: MANY }, (_, row) => row);
      const text = plainDocument(rows.map((row) => record({ Schluessel: 'k', Wert: written(row) })));
      const staged = await stage(plan, text, { select: 'to_json(list(Wert ORDER BY _zeile)) AS all' });
      const read = JSON.parse(String(staged.rows[0]?.all)) as Cell[];
      expect(read).toHaveLength(MANY);
      expect(rows.filter((row) => read[row] !== expected(row)).slice(0, 5)).toEqual([]);
    });
  });

  it('with a text that is longer than the memory set aside for it', async () => {
    const long = 'ä\u{1f300}'.repeat(60_000);
    const { rows } = await stage(PLAN, plainDocument([record({ Schluessel: 'k', Text: long })]), { select: 'Text' });
    expect(rows[0]!.Text === long).toBe(true);
  });
});

it('a page that is too large for the format is not written', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'large.parquet');
    const file = new ParquetFile(path, [{ name: 'a', type: 'text' }]);
    const before = statSync(path).size;
    // Never touched, so that it takes no memory.
    const values = new Uint8Array(2 ** 31);
    expect(() => file.writeRowGroup(1, [{ nulls: 0, validity: new Uint8Array(0), values }])).toThrow(
      'does not fit into a field of 32 bits',
    );
    file.abort();
    expect(statSync(path).size).toBe(before);
  });
});

describe('times', () => {
  it.each([
    '9999-12-31T23:59:59.999999',
    '2255-06-05T23:47:34.740993',
    '1969-12-31T23:59:59.999999',
    '1970-01-01T00:00:00.000001',
    '0001-01-01T00:00:00.000001',
    '5138-11-16T09:46:39.999999',
  ])('%s to the last microsecond', async (moment) => {
    const text = plainDocument([record({ Schluessel: 'k', Zeit: `${moment}9Z` })]);
    const { rows } = await stage(PLAN, text, { select: "strftime(Zeit, '%Y-%m-%dT%H:%M:%S.%f') AS moment" });
    expect(rows).toEqual([{ moment }]);
  });
});

describe('texts', () => {
  it.each([
    ['white space is collapsed', ' a \t\n b\u00a0\u00a0c\r\n', 'a b c'],
    ['a non-breaking blank around it is left out', '\u00a0a\u00a0', 'a'],
    ['the full-width ampersand is one', 'M\uff06M', 'M&M'],
    [
      'letters of one to four bytes',
      'aß€\u{1f300}\u07ff\u0800\uffee\u{10ffff}',
      'aß€\u{1f300}\u07ff\u0800\uffee\u{10ffff}',
    ],
    ['leading zeros stay', '01067', '01067'],
  ])('%s', async (_, written, expected) => {
    expect(
      (await stage(PLAN, plainDocument([record({ Schluessel: 'k', Text: written })]), { select: 'Text' })).rows,
    ).toEqual([{ Text: expected }]);
  });

  it.each([
    ['list', { as: 'list' }, 'a, b,a ; b,\uff06,&', ['a', 'b', '&']],
    [
      'labels',
      {
        as: 'labels',
        labels: new Map([
          [1, 'Heizöl'],
          [2, 'Erdgas'],
          [3, 'Heizöl'],
        ]),
      },
      '1, 1,2,3,2',
      ['Heizöl', 'Erdgas'],
    ],
  ] as const)('of a list are a set, in the order in which they stand: %s', async (_, kind, written, expected) => {
    const column = { name: 'Wert', element: 'Wert', kind, slot: 1, notAvailableSlot: -1, repeatable: true };
    const slots = new Map([
      ['Schluessel', 0],
      ['Wert', 1],
    ]);
    const text = plainDocument([record({ Schluessel: 'k', Wert: written })]);
    const { rows } = await stage({ ...PLAN, slots, columns: [column] }, text, { select: 'Wert' });
    expect(rows).toEqual([{ Wert: expected.join(STAGED_LIST_SEPARATOR) }]);
  });

  it.each(['', ' ', '\n', '\u00a0', ' \u00a0\t'])('of white space alone are null: %j', async (written) => {
    const text = plainDocument([record({ Schluessel: 'k', Text: written, Ganzzahl: written, Liste: written })]);
    const { rows, findings } = await stage(PLAN, text, { select: 'Text, Ganzzahl, Liste' });
    expect(rows).toEqual([{ Text: null, Ganzzahl: null, Liste: null }]);
    expect(findings).toEqual([]);
  });

  it('of any characters are read back unchanged', async () => {
    const letters = fc
      .string({ unit: anyCharacter, maxLength: 20 })
      .filter(
        (text) => !/[\ud800-\udfff](?![\udc00-\udfff])/.test(text.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, '')),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(letters, { maxLength: 30 }), async (texts) => {
        const document = plainDocument(texts.map((text, row) => record({ Schluessel: `k${row}`, Text: text })));
        const { rows } = await stage(PLAN, document, { select: 'Text' });
        expect(rows).toEqual(texts.map((text) => ({ Text: naiveText(text) })));
      }),
      { numRuns: cases(60) },
    );
  });
});

/** Forbidden characters left out, white space collapsed, trimmed; null when nothing is left. */
function naiveText(text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is left out
  const allowed = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  const collapsed = allowed.replaceAll(/[\t\n\r \u00a0]+/g, ' ').replaceAll('\uff06', '&');
  return collapsed.replace(/^ | $/g, '') || null;
}
