import { writeFileSync } from 'node:fs';
import { withNightlyLock } from '../../../runtime/nightly-record.ts';
import { reportFile } from '../../../sql/warehouse/versions.ts';
import { FIXTURE_VERSION, publishFixture, temporaryFolder } from '../../support/fixture.ts';
import { type OwnSubject, serve } from '../../support/service.ts';

/** The report of a build, as far as metrics show it. */
const REPORT = {
  seconds: 61.5,
  peakMemoryMb: 512,
  warehouseMb: 30.5,
  units: { wind: 3, solar: 4 },
  failedChecks: [],
  befunde: { wert_unlesbar: 7, element_unbekannt: 1 },
  dateien: [{ verwendung: 'tabelle', gelesen: 10, geladen: 7, doppelt: 2, abgelehnt: 1 }],
};

/** A service in this process of which everything can be observed: a version with its report, and a night that failed. */
export async function serveObserved(): Promise<OwnSubject> {
  const warehouse = temporaryFolder();
  const state = temporaryFolder();
  await publishFixture(warehouse.path);
  writeFileSync(reportFile(warehouse.path, FIXTURE_VERSION), JSON.stringify(REPORT));
  await withNightlyLock(state.path, null, async (begin) =>
    begin().end({ outcome: 'failed', failedStep: 'fetch', message: 'The server does not answer', exitCode: 1 }),
  );
  const service = await serve(warehouse.path, { METRICS_PORT: '0', STATE_DIR: state.path });
  return {
    ...service,
    async stop() {
      await service.stop();
      state.remove();
      warehouse.remove();
    },
  };
}
