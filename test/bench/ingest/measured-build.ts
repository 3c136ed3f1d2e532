import type { PublicationTarget } from '../../../ingest/destination/target.ts';
import { withPublicationTarget } from '../../../ingest/publication/open.ts';
import type { BuildReport } from '../../../ingest/run/build-report.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { firstRow } from '../../../sql/warehouse/first-row.ts';
import { merged } from '../clickhouse/merged.ts';
import type { Server, ServerSpent } from '../clickhouse/server.ts';
import { buildOf, type Export, type How } from '../support/register.ts';
import { type Spent, spentBy } from '../support/spent.ts';

/** A build and what it took, in a process of its own. */
export interface MeasuredBuild {
  readonly report: BuildReport;
  readonly spent: Spent;
  readonly stages: readonly Stage[];
  /** Units that this version was the first to have as they are. */
  readonly changed: number;
  /** Null for a build of files, and for a server that is somebody else's. */
  readonly server: BuildingServer | null;
}

/** The expense of the server on which a version was built: for the build, and then for merging its parts while it was served. */
export interface BuildingServer {
  readonly spent: ServerSpent;
  readonly merging: Omit<Spent, 'peakMemoryMb'>;
}

/**
 * The time from the end of one stage to the end of the next, as the build reports them; the first includes the start of
 * the process. What runs beside a stage counts in it.
 */
interface Stage {
  readonly name: string;
  readonly seconds: number;
  /** Of the build, without a server. */
  readonly cpuSeconds: number;
}

interface Place extends How {
  /** The state folder, which may have a version already. */
  readonly state: string;
  /** The server on which the version is built; by default it becomes files of the state folder. */
  readonly server?: Server | null;
}

/** Builds an export, and publishes it. */
export async function measureBuild(source: Export, { state, server = null, ...how }: Place): Promise<MeasuredBuild> {
  const stages: Stage[] = [];
  const environment = { STATE_DIR: state, WAREHOUSE_URL: server?.url ?? '' };
  const begun = performance.now();
  let last = { seconds: 0, cpuSeconds: 0 };
  const spentByServer = server?.meter();
  const spent = await spentBy({
    ...buildOf(source, environment, how),
    onLine(line, cpuSeconds) {
      const { event, name } = JSON.parse(line) as { event: string; name: string };
      if (event !== 'stage') return;
      const seconds = (performance.now() - begun) / 1000;
      stages.push({ name, seconds: seconds - last.seconds, cpuSeconds: cpuSeconds - last.cpuSeconds });
      last = { seconds, cpuSeconds };
    },
  });
  const building = spentByServer?.() ?? null;
  const { report, changed } = await withPublicationTarget(readSettings({ ...process.env, ...environment }), built);
  return {
    ...{ report, spent, stages, changed },
    server: server === null || building === null ? null : { spent: building, merging: await merging(server) },
  };
}

/** Reads what was built last. */
async function built(target: PublicationTarget): Promise<Pick<MeasuredBuild, 'report' | 'changed'>> {
  const { version } = (await target.publications()).at(-1)!;
  const report = (await target.report(version))!;
  const where = `inhaltSeit = ${report.sequence}`;
  const wanted = { units: { columns: ['inhaltSeit'], where } };
  const engine = (await target.tables(version, wanted, new AbortController().signal))!;
  try {
    const { n } = firstRow(await engine.rows<{ n: bigint }>(`SELECT count(*) AS n FROM units WHERE ${where}`));
    return { report, changed: Number(n) };
  } finally {
    engine.close();
  }
}

/** Waits until the server has merged the version, so that it is quiet when something else is measured. */
async function merging(server: Server): Promise<BuildingServer['merging']> {
  const [begun, spent] = [performance.now(), server.meter()];
  await merged(server);
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: spent()?.cpuSeconds ?? 0 };
}

export const inflate = (source: Export): Promise<Spent> => spentBy({ command: 'unzip', words: ['-p', source.file] });

export const unitsOf = ({ units }: BuildReport): number => Object.values(units).reduce((sum, count) => sum + count, 0);
