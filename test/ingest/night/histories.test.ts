import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printReport } from '../../../ingest/build/print-report.ts';
import { readReport } from '../../../ingest/run/build-report.ts';
import { versionFile } from '../../../sql/warehouse/versions.ts';
import { publishExport } from '../../support/built.ts';
import { cases, sameInEveryRun } from '../../support/cases.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { drawing, nextDay, nightsInFiles } from '../../support/register-days.ts';
import { isAsFromNothing } from '../../support/row-file.ts';
import { differencesBetween } from '../../support/same-version.ts';
import { buildIn, queryVersion } from '../../support/warehouse.ts';

/**
 * A version that a night made out of the one before is the version that is built from nothing: over random histories of the register, in
 * which records of every kind change, come, go and return.
 */

const folder = folderOfTests();
let register: RegisterExport;

beforeAll(async () => {
  register = await RegisterExport.read(await generateExport(folder.path, '2026-11-01'));
});

afterAll(() => folder.remove());

describe('a version made out of the one before', () => {
  it('is the one that is built from nothing, in every table and every file', {
    timeout: 600_000 * cases(1),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const nights = await nightsInFiles(join(folder.path, `nights-${seed}`), seed);
        const nothing = join(folder.path, `nothing-${seed}`);
        for (const [night, { source, report }] of nights.days.entries()) {
          const built = await buildIn(nothing, source, { force: true, fromNothing: true });
          const { version, madeFrom } = report;
          if (night > 0) expect(madeFrom?.version, madeFrom?.reason ?? '').not.toBeNull();
          const differences = await differencesBetween(nights.warehouse, nothing, version);
          expect({ seed, night, differences }).toEqual({ seed, night, differences: [] });
          expect(await isAsFromNothing(nights.warehouse, version)).toBe(true);
          expect(report.befunde).toEqual(built.report.befunde);
          expect(report.measures).toEqual(built.report.measures);
          expect(report.changes).toEqual(built.report.changes);
        }
      }),
      { numRuns: cases(1), endOnFailure: true, ...sameInEveryRun },
    );
  });
});

/** A published version, and how its tables are changed. */
const published = async (name: string): Promise<{ warehouse: string; change: (sql: string) => Promise<void> }> => {
  const warehouse = join(folder.path, name);
  const version = await publishExport(warehouse, register.write(join(folder.path, name, 'days'), '2026-11-01'));
  return {
    warehouse,
    change: async (sql) => {
      const instance = await DuckDBInstance.create(versionFile(warehouse, version));
      const connection = await instance.connect();
      await connection.run(sql);
      connection.closeSync();
      instance.closeSync();
    },
  };
};

describe('one night in a few', () => {
  it('is built from nothing as well, and says whether the night would have had the same', async () => {
    const warehouse = join(folder.path, 'compared');
    const now = register.copy();
    const first = await publishExport(warehouse, now.write(join(folder.path, 'compared-days'), '2026-11-01'));
    const reports = [readReport(warehouse, first)!];
    for (const day of ['2026-11-02', '2026-11-03', '2026-11-04']) {
      nextDay(now, new Map(), drawing(Number(day.slice(-2))));
      const source = now.write(join(folder.path, 'compared-days'), day);
      reports.push((await buildIn(warehouse, source, { force: true, compareEvery: 2 })).report);
    }
    expect(reports.map(({ madeFrom }) => madeFrom)).toMatchObject([
      { version: null, reason: null, nights: 0, differences: null },
      { version: reports[0]!.version, reason: null, nights: 1, differences: null },
      { version: null, reason: 'compared', nights: 0, differences: [] },
      { version: reports[2]!.version, reason: null, nights: 1, differences: null },
    ]);
  });

  it('tells the tables in which a version was not as it should be', async () => {
    const { warehouse, change } = await published('differing');
    await change(
      `UPDATE units SET name = 'Falsch' WHERE nummer = (SELECT min(nummer) FROM units WHERE einheitTyp = 'wind')`,
    );
    const next = await buildIn(warehouse, register.write(join(folder.path, 'differing-days'), '2026-11-02'), {
      force: true,
      compareEvery: 1,
    });
    expect(next.report.madeFrom?.differences?.map(({ table }) => table)).toContain('units');
    const [wrong] = await queryVersion(
      warehouse,
      next.report.version,
      `SELECT count(*)::INTEGER AS n FROM units WHERE name = 'Falsch'`,
    );
    expect(wrong).toEqual({ n: 0 });
  });

  it('is published as the night made it where it cannot be built from nothing, and says so', async () => {
    const { warehouse, change } = await published('alone');
    await change('ALTER TABLE units_ersetzt ALTER ersetztAm DROP NOT NULL');
    await change(
      'INSERT INTO units_ersetzt BY NAME SELECT *, 1 AS ersetztSeit, NULL AS ersetztAm FROM units WHERE nummer = (SELECT min(nummer) FROM units)',
    );
    for (const nights of [1, 2]) {
      const source = register.write(join(folder.path, 'alone', 'next'), `2026-11-0${nights + 1}`);
      const { report, publication } = await buildIn(warehouse, source, { force: true, compareEvery: 1 });
      expect(publication?.version).toBe(report.version);
      expect(report.madeFrom).toMatchObject({ version: report.previousVersion, nights, differences: null });
      expect(report.madeFrom?.reason).toMatch(/^the build from nothing failed: Constraint Error/);
      expect(printReport(report)).toMatch(/^ {2}made out of .* computed; NOT COMPARED, the build from nothing failed/m);
    }
  });
});

describe('a night that cannot go on', () => {
  it.each([
    ['another program', `UPDATE grundlagen SET digest = 'another' WHERE name = 'programm'`, 'the program has changed'],
    [
      'other tenders',
      `UPDATE grundlagen SET digest = 'another' WHERE name = 'ausschreibungen'`,
      'the tenders are others',
    ],
    ['a version of an earlier release', 'DROP TABLE grundlagen', 'the version before is of an earlier release'],
    ['missing units', 'DELETE FROM units', /^there would be \d+ units, and the export has \d+$/],
    ['a table that is not as it was', 'ALTER TABLE region_tage DROP COLUMN kwh', /^the night failed: Binder Error/],
  ])('builds from nothing after %s, and says so', async (name, sql, reason) => {
    const { warehouse, change } = await published(name.replaceAll(' ', '-'));
    await change(sql);
    const { report, publication } = await buildIn(warehouse, register.write(join(folder.path, 'next'), '2026-11-02'), {
      force: true,
    });
    expect(publication).not.toBeNull();
    expect(report.madeFrom).toMatchObject({ version: null, nights: 0, differences: null });
    expect(report.madeFrom?.reason).toMatch(reason);
    const [units] = await queryVersion(warehouse, report.version, 'SELECT count(*)::INTEGER AS n FROM units');
    expect(units).toEqual({ n: Object.values(report.units).reduce((sum, count) => sum + count, 0) });
  });

  it('builds from nothing where much has changed', async () => {
    const { warehouse } = await published('much');
    const source = register.write(join(folder.path, 'next'), '2026-11-02');
    const { report } = await buildIn(warehouse, source, { force: true, mostAffected: 0, alwaysWorth: 0 });
    expect(report.madeFrom?.reason).toMatch(/^the changes affect \d+ of \d+ units$/);
  });
});
