import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PublicationTarget } from '../../../ingest/destination/target.ts';
import { databaseOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { cases, sameInEveryRun } from '../../support/cases.ts';
import { administratorClient, databasesOf, serverTarget } from '../../support/clickhouse.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { drawing, nextDay, nightsInFiles } from '../../support/register-days.ts';
import { expectSameRows } from '../../support/same-rows.ts';
import { buildIn } from '../../support/warehouse.ts';

/**
 * A version that a night made in ClickHouse out of the one before has the rows of the version that a night made in files, over random
 * histories of the register; and that one is as if it was built from nothing (test/ingest/night).
 */

const folder = folderOfTests();
const client = await administratorClient();
let register: RegisterExport;

beforeAll(async () => {
  register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
});

afterAll(async () => {
  await client.close();
  folder.remove();
});

test('nights in ClickHouse make what nights in files make', { timeout: 600_000 * cases(1) }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const prefix = `energy_made_${seed}`;
      const inFiles = await nightsInFiles(join(folder.path, `files-${seed}`), seed);
      const direct = join(folder.path, `direct-${seed}`);
      const target: PublicationTarget = await serverTarget(direct, prefix);
      try {
        for (const [night, { source, report }] of inFiles.days.entries()) {
          const there = await buildIn(direct, source, { target, force: true });
          const { version, madeFrom } = there.report;
          if (night > 0) expect(madeFrom?.version, madeFrom?.reason ?? '').not.toBeNull();
          await expectSameRows(inFiles.warehouse, prefix, version);
          const { befunde, measures, changes, units } = report;
          expect(there.report).toMatchObject({ madeFrom: report.madeFrom, befunde, measures, changes, units });
        }
      } finally {
        await target.close();
      }
    }),
    { numRuns: cases(1), endOnFailure: true, ...sameInEveryRun },
  );
});

test('a night that is compared is built from nothing as well, on the server', async () => {
  const prefix = 'energy_made_compared';
  const warehouse = join(folder.path, 'compared');
  const target = await serverTarget(warehouse, prefix);
  const now = register.copy();
  const made = [];
  try {
    for (const day of ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']) {
      const source = now.write(join(folder.path, 'compared-days'), day);
      const { report } = await buildIn(warehouse, source, { target, force: true, compareEvery: 1 });
      made.push(report.madeFrom);
      for (let edits = 0; edits < 4; edits++) nextDay(now, new Map(), drawing(Number(day.slice(-2)) + edits));
      // Somebody changes what is served.
      const database = databaseOf(prefix, report.version);
      if (day === '2026-11-02')
        await client.command({
          query: `ALTER TABLE ${database}.zeilen UPDATE liste = '' WHERE 1 SETTINGS mutations_sync = 1`,
        });
      if (day === '2026-11-03') await client.command({ query: `DELETE FROM ${database}.standorte WHERE 1` });
    }
  } finally {
    await target.close();
  }
  expect(made).toMatchObject([
    { version: null, reason: null, nights: 0, differences: null },
    { version: null, reason: 'compared', nights: 0, differences: [] },
    { version: null, reason: 'compared', nights: 0, differences: [{ table: 'zeilen' }] },
    {
      version: null,
      reason: expect.stringMatching(/ does not hold what .* standorte: rows/),
      nights: 0,
      differences: null,
    },
  ]);
  expect((await databasesOf(client, `${prefix}_v`)).filter((name) => name.endsWith('_nacht'))).toEqual([]);
});
