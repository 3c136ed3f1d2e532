import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { versionFile } from '../../../sql/warehouse/versions.ts';
import { cases, sameInEveryRun } from '../../support/cases.ts';
import { type Document, folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { DAYS_FURTHER, dayAfter, drawing, nextDay } from '../../support/register-days.ts';
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
        const draw = drawing(seed);
        const [nights, nothing] = ['nights', 'nothing'].map((name) => join(folder.path, `${name}-${seed}`)) as [
          string,
          string,
        ];
        const now = register.copy();
        const gone = new Map<Document, Row[]>();
        let day = '2026-06-01';
        for (let night = 0; night < 7; night++) {
          const source = now.write(join(folder.path, String(seed)), day);
          const made = await buildIn(nights, source, { force: true });
          const built = await buildIn(nothing, source, { force: true, fromNothing: true });
          const { version, madeFrom } = made.report;
          if (night > 0) expect(madeFrom?.version, madeFrom?.reason ?? '').not.toBeNull();
          expect({ seed, night, differences: await differencesBetween(nights, nothing, version) }).toEqual({
            seed,
            night,
            differences: [],
          });
          expect(await isAsFromNothing(nights, version)).toBe(true);
          expect(made.report.befunde).toEqual(built.report.befunde);
          expect(made.report.measures).toEqual(built.report.measures);
          expect(made.report.changes).toEqual(built.report.changes);
          nextDay(now, gone, draw);
          day = dayAfter(day, DAYS_FURTHER[draw(DAYS_FURTHER.length)]!);
        }
      }),
      { numRuns: cases(1), endOnFailure: true, ...sameInEveryRun },
    );
  });
});

describe('one night in a few', () => {
  it('is built from nothing as well, and says whether the night would have had the same', async () => {
    const warehouse = join(folder.path, 'compared');
    const now = register.copy();
    const reports = [];
    for (const day of ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']) {
      const source = now.write(join(folder.path, 'compared-days'), day);
      reports.push((await buildIn(warehouse, source, { force: true, compareEvery: 2 })).report);
      nextDay(now, new Map(), drawing(Number(day.slice(-2))));
    }
    expect(reports.map(({ madeFrom }) => madeFrom)).toMatchObject([
      { version: null, reason: null, nights: 0, differences: null },
      { version: reports[0]!.version, reason: null, nights: 1, differences: null },
      { version: null, reason: 'compared', nights: 0, differences: [] },
      { version: reports[2]!.version, reason: null, nights: 1, differences: null },
    ]);
  });

  it('tells the tables in which a version was not as it should be', async () => {
    const warehouse = join(folder.path, 'differing');
    const source = register.write(join(folder.path, 'differing-days'), '2026-11-01');
    const { report } = await buildIn(warehouse, source, { force: true });
    const instance = await DuckDBInstance.create(versionFile(warehouse, report.version));
    const connection = await instance.connect();
    await connection.run(
      `UPDATE units SET name = 'Falsch' WHERE nummer = (SELECT min(nummer) FROM units WHERE einheitTyp = 'wind')`,
    );
    connection.closeSync();
    instance.closeSync();
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
});

describe('a night that cannot go on', () => {
  const published = async (name: string): Promise<{ warehouse: string; change: (sql: string) => Promise<void> }> => {
    const warehouse = join(folder.path, name);
    const { report } = await buildIn(warehouse, register.write(join(folder.path, name, 'days'), '2026-11-01'), {
      force: true,
    });
    return {
      warehouse,
      change: async (sql) => {
        const instance = await DuckDBInstance.create(versionFile(warehouse, report.version));
        const connection = await instance.connect();
        await connection.run(sql);
        connection.closeSync();
        instance.closeSync();
      },
    };
  };

  it.each([
    ['another program', `UPDATE grundlagen SET digest = 'another' WHERE name = 'programm'`, 'the program has changed'],
    [
      'other tenders',
      `UPDATE grundlagen SET digest = 'another' WHERE name = 'ausschreibungen'`,
      'the tenders are others',
    ],
    ['a version of an earlier release', 'DROP TABLE grundlagen', 'the version before is of an earlier release'],
    ['missing units', 'DELETE FROM units', /^there would be \d+ units, and the export has \d+$/],
    ['a table that is not as it was', 'ALTER TABLE standorte DROP COLUMN nummer', /^the night failed: Binder Error/],
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
