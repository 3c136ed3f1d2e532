import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnKind } from '../../../ingest/stage/columns.ts';
import type { StagingPlan } from '../../../ingest/stage/plan.ts';
import { ROWS_IN_GROUP, StagedFiles } from '../../../ingest/stage/staged-files.ts';
import { itemAt } from '../../../runtime/present.ts';
import { cases } from '../../support/cases.ts';
import { inFolder, query, type StagedMember, stagedFile, stageMembers } from '../../support/staged.ts';
import { plainDocument, record } from '../../support/xml.ts';

/** The members that a thread reads share a file, whatever their kinds: each row keeps its origin and its values. */

const LABELS: ReadonlyMap<number, string> = new Map(
  Array.from({ length: 40 }, (_, id) => [id, `Wert ${id} ä`] as const),
);

/** Columns of the table, the values that a row has in them as they are written, and as the engine reads them. */
const COLUMNS: Readonly<
  Record<string, readonly [kind: ColumnKind, written: (n: number) => string, read: (n: number) => unknown]>
> = {
  Zahl: [{ as: 'integer' }, String, (n) => n],
  Nummer: [{ as: 'decimal', places: 3 }, (n) => `${n}.5`, (n) => n + 0.5],
  Ja: [{ as: 'boolean' }, (n) => String(n % 2), (n) => n % 2 === 1],
  Text: [{ as: 'text' }, (n) => 'x'.repeat(n + 1), (n) => 'x'.repeat(n + 1)],
  Art: [{ as: 'label', labels: LABELS }, String, (n) => LABELS.get(n)],
};
const NAMES = Object.keys(COLUMNS);

/** The plan of a kind of file that has these elements. */
const planOf = (kind: string, elements: readonly string[]): StagingPlan => {
  const slots = new Map(['Schluessel', ...elements].map((name, slot) => [name, slot]));
  return {
    table: 'alle',
    kind,
    sliced: false,
    slots,
    keySlot: 0,
    keyAs: 'text',
    columns: NAMES.map((name) => ({
      name,
      element: name,
      kind: COLUMNS[name]![0],
      slot: slots.get(name) ?? -1,
      notAvailableSlot: -1,
      repeatable: true,
    })),
    withheld: [],
  };
};

const KINDS: Readonly<Record<string, readonly string[]>> = {
  Alles: NAMES,
  Weniges: ['Art', 'Ja'],
  Anderes: ['Text', 'Zahl'],
};

/** Numbers by column, null where a record has no value. */
type Row = readonly (number | null)[];

function memberOf(index: number, kind: string, rows: readonly Row[], bytes?: number): StagedMember {
  const elements = KINDS[kind]!;
  const records = rows.map((row) => {
    const values = NAMES.flatMap((name, column) => {
      const n = itemAt(row, column);
      return n === null || !elements.includes(name) ? [] : [[name, COLUMNS[name]![1](n)]];
    });
    return record({ Schluessel: 'k', ...Object.fromEntries(values) });
  });
  const member = { index, plan: planOf(kind, elements), text: plainDocument(records) };
  return bytes === undefined ? member : { ...member, bytes };
}

const expectedOf = (index: number, kind: string, rows: readonly Row[]): Record<string, unknown>[] =>
  rows.map((row, at) => ({
    _datei: index,
    _zeile: at + 1,
    _art: kind,
    ...Object.fromEntries(
      NAMES.map((name, column) => {
        const n = itemAt(row, column);
        return [name, n === null || !KINDS[kind]!.includes(name) ? null : COLUMNS[name]![2](n)];
      }),
    ),
  }));

/** Rows of each row group of a file. */
async function groupsOf(path: string): Promise<number[]> {
  const groups = await query(
    `SELECT DISTINCT row_group_id, row_group_num_rows::INTEGER AS n FROM parquet_metadata('${path}') ORDER BY row_group_id`,
  );
  return groups.map(({ n }) => Number(n));
}

describe('a staged file', () => {
  it('has the rows of members of several kinds, with null where a kind lacks an element', async () => {
    const number = fc.option(fc.integer({ min: 0, max: 39 }), { freq: 4 });
    const member = fc.record({
      kind: fc.constantFrom(...Object.keys(KINDS)),
      rows: fc.array(fc.tuple(...NAMES.map(() => number)), { maxLength: 60, size: 'max' }),
      // The number of rows that are appended at a time follows from it.
      bytes: fc.integer({ min: 1, max: 2000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(member, { minLength: 1, maxLength: 6 }), async (members) => {
        fc.pre(members.some(({ rows }) => rows.length > 0));
        await inFolder(async (folder) => {
          const staged = members.map(({ kind, rows, bytes }, index) => memberOf(index, kind, rows, bytes));
          stageMembers(folder, staged);
          const values = NAMES.map((name) => (name === 'Nummer' ? 'Nummer::DOUBLE AS Nummer' : name));
          const read = await query(
            `SELECT _datei, _zeile, _art, ${values} FROM read_parquet('${stagedFile(folder, 'alle')}') ORDER BY _datei, _zeile`,
          );
          expect(read).toEqual(members.flatMap(({ kind, rows }, index) => expectedOf(index, kind, rows)));
        });
      }),
      { numRuns: cases(40) },
    );
  });

  it('has full row groups but for the last, however many rows its members have', async () => {
    const counts = [ROWS_IN_GROUP - 1, 3, 0, ROWS_IN_GROUP * 2, 5];
    await inFolder(async (folder) => {
      const row = NAMES.map(() => 1);
      const members = counts.map((count, index) =>
        memberOf(
          index,
          'Weniges',
          Array.from({ length: count }, () => row),
        ),
      );
      stageMembers(folder, members);
      const path = stagedFile(folder, 'alle');
      expect(await groupsOf(path)).toEqual([ROWS_IN_GROUP, ROWS_IN_GROUP, ROWS_IN_GROUP, 7]);
      expect(await query(`SELECT _datei, count(*)::INTEGER AS n FROM '${path}' GROUP BY ALL ORDER BY ALL`)).toEqual(
        counts.flatMap((n, _datei) => (n === 0 ? [] : [{ _datei, n }])),
      );
    });
  });

  it('has smaller row groups where texts are long, so that what waits stays small', async () => {
    const LONG = 100_000;
    const rows = Array.from({ length: 300 }, () => [null, null, null, LONG, null]);
    await inFolder(async (folder) => {
      // Ten rows are appended at a time.
      stageMembers(folder, [memberOf(1, 'Anderes', rows, 300)]);
      const groups = await groupsOf(stagedFile(folder, 'alle'));
      expect(groups.reduce((sum, n) => sum + n, 0)).toBe(rows.length);
      expect(Math.max(...groups) * LONG).toBeLessThan(10_000_000);
    });
  });

  it('cannot be read before it is complete, nor when it is abandoned', async () => {
    await inFolder(async (folder) => {
      const files = new StagedFiles(folder, 0);
      const plan = planOf('Weniges', NAMES);
      files.fileOf(plan, 0);
      const unreadable = () => expect(query(`FROM read_parquet('${stagedFile(folder, 'alle')}')`)).rejects.toThrow();
      await unreadable();
      files.abort();
      await unreadable();
    });
  });
});
