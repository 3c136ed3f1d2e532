import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type BuildReport, readReport } from '../../../ingest/run/build-report.ts';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { buildOf, type Export } from '../support/register.ts';
import { type Spent, spentBy } from '../support/spent.ts';

/** A build and what it took, in a process of its own. */
export interface MeasuredBuild {
  readonly report: BuildReport;
  readonly spent: Spent;
  readonly stages: readonly Stage[];
  /** Units that this version was the first to have as they are. */
  readonly changed: number;
}

/**
 * The time from the end of one stage to the end of the next, as the build reports them; the first includes the start of
 * the process. What runs beside a stage counts in it.
 */
interface Stage {
  readonly name: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/**
 * Builds an export into the warehouse of a state folder, which may have a version already.
 * @param root the folder of the code that builds; by default this
 */
export async function measureBuild(source: Export, state: string, root?: string): Promise<MeasuredBuild> {
  const stages: Stage[] = [];
  const begun = performance.now();
  let last = { seconds: 0, cpuSeconds: 0 };
  const spent = await spentBy({
    ...buildOf(source, state, root),
    onLine(line, cpuSeconds) {
      const { event, name } = JSON.parse(line) as { event: string; name: string };
      if (event !== 'stage') return;
      const seconds = (performance.now() - begun) / 1000;
      stages.push({ name, seconds: seconds - last.seconds, cpuSeconds: cpuSeconds - last.cpuSeconds });
      last = { seconds, cpuSeconds };
    },
  });
  const warehouse = join(state, 'warehouse');
  const { version } = currentPublication(warehouse)!;
  const report = readReport(warehouse, version)!;
  return { report, spent, stages, changed: await changedUnits(versionFile(warehouse, version), report.sequence) };
}

async function changedUnits(file: string, sequence: number): Promise<number> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(`SELECT count(*) FROM units WHERE inhaltSeit = ${sequence}`);
    return Number(reader.getRowsJS()[0]?.[0]);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

export const inflate = (source: Export): Promise<Spent> => spentBy({ command: 'unzip', words: ['-p', source.file] });

export const unitsOf = ({ units }: BuildReport): number => Object.values(units).reduce((sum, count) => sum + count, 0);
