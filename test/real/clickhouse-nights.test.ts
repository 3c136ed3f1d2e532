import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { build } from '../../ingest/build/build.ts';
import { buildOptions } from '../support/built.ts';
import { serverTarget } from '../support/clickhouse.ts';
import { folderOfTests } from '../support/exports.ts';
import { expectSameRows } from '../support/same-rows.ts';
import { type Days, expected, isMissing, pathOf, titled } from './expected.ts';

const { schritte } = expected<Days>('register-real-days.expected.json');

/** The excerpts have weeks between them, and few units. */
const HOWEVER_MUCH = { force: true, mostAffected: 1 };

describe.skipIf(isMissing)(titled('three days of real register content in ClickHouse'), () => {
  const folder = folderOfTests();
  afterAll(() => folder.remove());

  it('have after each night the rows that files have', async () => {
    const [files, direct] = [join(folder.path, 'files'), join(folder.path, 'direct')];
    const target = await serverTarget(direct, 'energy_real_days');
    try {
      for (const [step, { datei }] of (schritte ?? []).entries()) {
        // Within a year, as each year has another calendar of tenders.
        const tag = `2026-08-2${step}`;
        const inFiles = await build({ ...buildOptions(pathOf(datei), files, tag), ...HOWEVER_MUCH });
        const { report } = await build({ ...buildOptions(pathOf(datei), direct, tag), ...HOWEVER_MUCH, target });
        expect(report).toMatchObject({ madeFrom: inFiles.report.madeFrom, changes: inFiles.report.changes });
        if (step > 0) expect(report.madeFrom?.version).not.toBeNull();
        await expectSameRows(files, 'energy_real_days', report.version);
      }
    } finally {
      await target.close();
    }
  });
});
