import { join } from 'node:path';
import { buildingFolder } from '../../sql/warehouse/versions.ts';
import { openArchive } from '../archive/archive.ts';
import { writeHistory } from '../assembly/history.ts';
import { requireEveryPart } from '../checks/parts.ts';
import { openReadWrite } from '../duckdb/connection.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { type BuildOptions, engineLimits, rethrowAbort } from './options.ts';
import { readExport } from './read-export.ts';

export interface BackfillOutcome {
  readonly exportDay: string;
  /** Units whose days were added. */
  readonly units: number;
}

/**
 * Adds the planned and registration days of an export older than the served version to the history. The next build uses
 * them; the served version does not change.
 * @throws Locked, BuildRefused when the export is not older, ArchiveError
 */
export async function backfill(options: BuildOptions): Promise<BackfillOutcome> {
  return withWarehouseLock(options.warehouse, `backfill of ${options.source}`, () =>
    rethrowAbort(options, () => backfillHistory(options)),
  );
}

async function backfillHistory(options: BuildOptions): Promise<BackfillOutcome> {
  const { warehouse, progress } = options;
  progress.stage('archive and catalogues');
  const archive = await openArchive(options.source, options.day);
  requireEveryPart(archive);
  const before = (await options.target.publications()).at(-1);
  if (before === undefined) {
    throw new BuildRefused(
      '--backfill adds history to a version that is served, and there is none yet: build older exports before newer ones.',
    );
  }
  if (archive.day >= before.exportDay) {
    throw new BuildRefused(
      `--backfill is for exports older than the version served (of ${before.exportDay}); this one is of ${archive.day}.`,
    );
  }
  const folder = join(buildingFolder(warehouse), `history-${archive.day}`);
  const { catalogues, stage } = await readExport(options, archive, folder);
  progress.stage('history');
  const engine = await openReadWrite(join(folder, 'history.duckdb'), engineLimits(options, folder), options.signal);
  try {
    const units = await writeHistory(engine, warehouse, stage, catalogues.catalogues, archive.day);
    progress.end();
    return { exportDay: archive.day, units };
  } finally {
    await engine.close();
  }
}
