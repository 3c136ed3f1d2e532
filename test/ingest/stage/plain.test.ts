import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitsOf } from '../../../ingest/scan/text.ts';
import type { ColumnKind } from '../../../ingest/stage/columns.ts';
import type { StagingPlan } from '../../../ingest/stage/plan.ts';
import { sliceOf } from '../../../ingest/stage/slices.ts';
import { mastrDigits } from '../../../ingest/stage/values.ts';
import { cases } from '../../support/cases.ts';
import { stage } from '../../support/staged.ts';
import { plainDocument, record } from '../../support/xml.ts';

/**
 * Values in their plain form are read by WebAssembly, all others by JavaScript, which knows every form. A value is the same,
 * and the findings are, whoever reads it.
 */

const LABELS: ReadonlyMap<number, string> = new Map([
  [0, 'Keine'],
  [7, 'Wind'],
  [12, 'Wind'],
  [345, 'Wärme'],
  [4095, 'Gas'],
  [4096, 'Öl'],
  [123_456_789, 'Holz'],
]);

/** Each kind, and texts of which most are plain. */
const KINDS: readonly (readonly [ColumnKind, ...string[]])[] = [
  [{ as: 'mastr' }, 'SEE912345678901', 'AAA000000000000', 'ZZZ999999999999'],
  [
    { as: 'day' },
    ...['1970-01-01', '2000-02-29', '2023-02-29', '2023-12-31', '2023-04-31', '2023-00-10', '2023-13-10', '2023-01-32'],
    ...['1879-12-31', '1880-01-01', '2046-12-31', '2047-01-01', '0000-01-01', '0001-01-01'],
  ],
  [
    { as: 'time' },
    ...['2019-02-01T18:48:06.6016799', '1969-12-31T23:59:59.9', '2026-05-10T15:41:18', '2024-03-01T00:00:00Z'],
    ...['2024-02-28T24:00:00', '2024-02-28T23:60:00', '2024-02-28T23:59:60', '2024-02-28T23:59:59.', '2024-02-28'],
  ],
  [{ as: 'integer' }, '0', '1', '007', '999999999', '2147483647', '2147483648'],
  [{ as: 'boolean' }, '0', '1', 'true', '2'],
  [
    { as: 'decimal', places: 3, largest: 25_000_000 },
    '6.560',
    '0',
    '.5',
    '5.',
    '25000000',
    '25000000.001',
    '1.0005',
    '1e3',
  ],
  [{ as: 'decimal', places: 6 }, '13.123456', '999999999.999999', '999999999999', '48.1234567', '-1.5'],
  [{ as: 'atLeast', limit: 30 }, '30', '29.9999', '30.000', '0030', '999999999999999', '1000000000000000', '+31'],
  [{ as: 'label', labels: LABELS }, '7', '12', '0', '345', '4095', '4096', '123456789', '8'],
  [{ as: 'labels', labels: LABELS }, '7', '7, 12', '345;8'],
  [{ as: 'list' }, 'SAN912345678901', 'a, b', ',', 'Straße', 'a b', 'a;;c'],
  [{ as: 'text' }, 'Hausdach', 'a  b', 'Mühldorf a. Inn', 'x'.repeat(40), 'A \u00a0& B', '日本 \u{1f300} x', '\uff06'],
];

/** A text, changed in some places or left as it is. */
const near = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...'0129-+.:,;TZaÄ \t\u00a0&\uff06€日')), {
        maxLength: 2,
      }),
    )
    .map(([text, changes]) => {
      let changed = text;
      for (const [place, removed, added] of changes) {
        const at = place % (changed.length + 1);
        // A pair of surrogates stays whole.
        if (!/[\ud800-\udfff]/.test(changed)) changed = changed.slice(0, at) + added + changed.slice(at + removed);
      }
      return changed;
    });

const row = fc.tuple(...KINDS.map(([, ...texts]) => near(texts)));

/** The fate of a text. */
const asStaged = (text: string): string | null => text.replaceAll('\uff06', '&').replace(/\s+/g, ' ').trim() || null;

const names = KINDS.map((_, index) => `Wert${index}`);

/** @param flagged every value has a flag that says nothing against it, but is not spelled plainly */
const planOf = (flagged: boolean): StagingPlan => ({
  table: 'alle',
  kind: 'AlleArten',
  sliced: false,
  slots: new Map(['Schluessel', 'Flagge', ...names].map((name, slot) => [name, slot])),
  keySlot: 0,
  keyAs: 'text',
  columns: KINDS.map(([kind], index) => ({
    name: names[index]!,
    element: names[index]!,
    kind,
    slot: index + 2,
    notAvailableSlot: flagged ? 1 : -1,
    repeatable: true,
  })),
  withheld: [],
});

describe('values', () => {
  it('are the same in their plain form and in any other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 300, size: 'max' }),
        fc.integer({ min: 1, max: 200_000 }),
        async (rows, bytes) => {
          const document = plainDocument(
            rows.map((texts) =>
              record({
                Schluessel: 'k',
                Flagge: ' 0',
                ...Object.fromEntries(texts.map((text, index) => [names[index], text])),
              }),
            ),
          );
          const select = `_zeile, ${names.map((name) => `${name}::VARCHAR AS ${name}`).join()}`;
          const plain = await stage(planOf(false), document, { select, bytes });
          expect(plain).toEqual(await stage(planOf(true), document, { select, bytes }));
          expect(plain.rows).toHaveLength(rows.length);
          expect(plain.rows.map((read) => read[names.at(-1)!])).toEqual(rows.map((texts) => asStaged(texts.at(-1)!)));
        },
      ),
      { numRuns: cases(10) },
    );
  });

  it('are not read where a flag says that there are none', async () => {
    const text = record({ Schluessel: 'k', Flagge: '1', Wert0: 'SEE912345678901', Wert5: '6.560' });
    const { rows, findings } = await stage(planOf(true), plainDocument([text]));
    expect(Object.values(rows[0]!).filter((value) => value !== null)).toEqual([7, 1, 'AlleArten']);
    expect(findings.map(({ kind, element }) => [kind, element])).toEqual([
      ['wert_trotz_nv', 'Wert0'],
      ['wert_trotz_nv', 'Wert5'],
    ]);
  });
});

describe('keys', () => {
  it('give the slice of their number, or a finding', async () => {
    const plan: StagingPlan = { ...planOf(false), keyAs: 'mastr', sliced: true };
    const key = near(['SEE900000000000', 'SEE912345678901', 'SEE999999999999', 'ABR000000000000', ' SEE914285714285 ']);
    await fc.assert(
      fc.asyncProperty(fc.array(key, { minLength: 1, maxLength: 200, size: 'max' }), async (keys) => {
        const document = plainDocument(keys.map((text) => record({ Schluessel: text })));
        const { rows, refused } = await stage(plan, document, { select: '_zeile, slice', slices: 7 });
        const expected = keys.flatMap((text, index) => {
          const trimmed = text.replace(/^[\s\u00a0]+|[\s\u00a0]+$/g, '');
          const digits = mastrDigits(unitsOf(trimmed), 0, trimmed.length);
          return Number.isNaN(digits) ? [] : [{ _zeile: index + 1, slice: sliceOf(digits, 7) }];
        });
        expect(rows).toEqual(expected);
        expect(refused).toBe(keys.length - expected.length);
      }),
      { numRuns: cases(10) },
    );
  });
});
