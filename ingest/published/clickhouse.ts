import { existsSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { Locked } from '../../runtime/lock-file.ts';
import { onCluster } from '../../sql/warehouse/clickhouse/placement.ts';
import {
  addPublication,
  pointerStatements,
  serverPublications,
  serverReport,
  type VersionDatabase,
  versionDatabases,
} from '../../sql/warehouse/clickhouse/publications.ts';
import {
  listVersions,
  type Publication,
  parseVersionId,
  removeVersion,
  surplus,
  type Version,
  versionFile,
} from '../../sql/warehouse/versions.ts';
import { openFinished } from '../assembly/warehouse.ts';
import { openClickhouseSource } from '../export/clickhouse-source.ts';
import { localSource } from '../export/duckdb-source.ts';
import { fetchHistory } from '../load/history.ts';
import { loadVersion } from '../load/load.ts';
import { openTarget, type Target, type TargetOptions } from '../load/target.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { type BuildReport, readReport } from '../run/build-report.ts';
import type { Published, Work } from './published.ts';
import { refuseLostHistory } from './refuse-lost-history.ts';

/** Versions that are read from a ClickHouse server: finished ones of the folder are loaded into it. */

/**
 * How long a version stays after another one has taken its place, minutes. Readers take the new one up within a second
 * and no question lasts longer than half a minute; the rest is for machines that were asleep.
 */
const GRACE_MINUTES = 15;

/** A load that has not sent a row for so long is not at work any more, minutes. */
const SILENT_MINUTES = 30;

export function inClickHouse(folder: string, options: Omit<TargetOptions, 'loader'>): Published {
  const target = openTarget({ ...options, loader: `${hostname()}:${folder}` });
  const publications = () => target.ask(() => serverPublications(target.client, target.prefix));
  const databases = () => target.ask(() => versionDatabases(target.client, target.prefix));
  return {
    name: target.name,
    publications,
    versions: async () => together(await databases(), listVersions(folder)),
    report: async (version) => readReport(folder, version) ?? (await keptReport(target, version)),
    async dumpSource(version, signal) {
      const isThere = (await databases()).some(({ id, complete }) => id === version && complete);
      return isThere ? openClickhouseSource(target, version, signal) : localSource(folder, version, signal);
    },
    async nextSequence() {
      const begun = [...(await databases()), ...(await publications()), ...listVersions(folder)];
      return Math.max(0, ...begun.map(({ sequence }) => sequence)) + 1;
    },
    async history(served, work) {
      if (served !== null) return historyFile(target, folder, served.version, await databases(), work);
      refuseLostHistory(target.name, folder, ({ failedChecks }) => failedChecks.length === 0);
      return null;
    },
    async take(version, work) {
      await target.insist(() => makePointer(target), work);
      const present = await databases();
      if (present.some(({ id, complete }) => id === version && complete)) return;
      if (!existsSync(versionFile(folder, version))) {
        throw new BuildRefused(
          `${version} is neither complete on ${target.name} nor in ${folder}: build its export again.`,
        );
      }
      refuseBeside(target, present);
      await drop(
        target,
        present.filter(({ complete }) => !complete),
      );
      const limits = { memoryMb: work.memoryMb, threads: 2, temporaryFolder: `${work.folder}/temporary` };
      const engine = await openFinished(versionFile(folder, version), limits, work.signal);
      try {
        await loadVersion({ target, engine, folder, version, work });
      } catch (error) {
        work.progress.note(
          `${version} is complete in ${folder}; to load it again: npm run ingest -- publish ${version}`,
        );
        throw error;
      } finally {
        engine.close();
        rmSync(work.folder, { recursive: true, force: true });
      }
    },
    async publish(version, cause, forced = []) {
      const all = await publications();
      const { id, ...rest } = parseVersionId(version)!;
      // Taken anew for each attempt: readers go by this time, and an attempt may come many minutes after the one before.
      const publication = (): Publication => ({
        ...{ version: id, ...rest, publishedAt: new Date().toISOString(), cause },
        ...(forced.length > 0 ? { forced: [...forced] } : {}),
      });
      await target.insist(() => addPublication(target.client, target.prefix, all.length + 1, publication()));
      // An attempt whose answer was lost may be the one that is kept.
      return (await publications())[all.length] ?? publication();
    },
    async prune(keep) {
      const all = await publications();
      const present = await databases();
      const removable = surplus(together(present, listVersions(folder)), all, keep).map(({ id }) => id);
      const resting = new Set(removable.filter((id) => isResting(id, all)));
      const debris = present.filter((database) => !database.complete && !atWork(target, database));
      const done = present.filter(({ id, complete }) => complete && removable.includes(id) && !resting.has(id));
      await drop(target, [...debris, ...done]);
      const local = listVersions(folder).filter(({ id }) => removable.includes(id));
      for (const { id } of local) removeVersion(folder, id);
      return [...new Set([...done, ...local].map(({ id }) => id))].filter((id) => !resting.has(id)).sort();
    },
    close: () => target.close(),
  };
}

/** Versions that are on the server, or in the folder and could be brought there; oldest build first. */
function together(databases: readonly VersionDatabase[], local: readonly Version[]): Version[] {
  const all = new Map([...local, ...databases.filter(({ complete }) => complete)].map(({ id, ...rest }) => [id, rest]));
  return [...all]
    .map(([id, { sequence, exportDay }]) => ({ id, sequence, exportDay }))
    .sort((a, b) => a.sequence - b.sequence);
}

async function makePointer(target: Target): Promise<void> {
  for (const query of pointerStatements(target.prefix, target.placement)) await target.client.command({ query });
}

async function keptReport({ client, prefix, ask }: Target, version: string): Promise<BuildReport | null> {
  const report = await ask(() => serverReport(client, prefix, version));
  return report === null ? null : (JSON.parse(report) as BuildReport);
}

/** The file of the version served, or what the server has of it when the folder has lost it. */
async function historyFile(
  target: Target,
  folder: string,
  version: string,
  databases: readonly VersionDatabase[],
  work: Work,
): Promise<string> {
  if (existsSync(versionFile(folder, version))) return versionFile(folder, version);
  if (!databases.some(({ id, complete }) => id === version && complete)) {
    throw new BuildRefused(
      `${version} is served, but neither ${folder} nor ${target.name} has it, so its history would be lost. ` +
        'Bring one of them back from the backup; or serve an earlier version: npm run ingest -- rollback <version>.',
    );
  }
  work.progress.stage(`${version} is not in ${folder}: its history is read from ClickHouse`);
  return fetchHistory(target, version, work);
}

const atWork = (target: Target, { loader, idleSeconds }: VersionDatabase): boolean =>
  loader !== target.loader && idleSeconds !== null && idleSeconds < SILENT_MINUTES * 60;

/** @throws Locked when another machine loads */
function refuseBeside(target: Target, databases: readonly VersionDatabase[]): void {
  const other = databases.find((database) => !database.complete && atWork(target, database));
  if (other === undefined) return;
  throw new Locked(
    `${other.loader} loads ${other.id} into ${target.name}; its last rows came ${other.idleSeconds} s ago. ` +
      `Wait until it has ended; if that process is gone: DROP DATABASE ${other.database}. Nothing was published.`,
  );
}

/** Questions that run are answered: the server removes the tables of a dropped database when nobody reads them. */
async function drop({ client, placement, ask }: Target, databases: readonly VersionDatabase[]): Promise<void> {
  for (const { database } of databases) {
    await ask(() => client.command({ query: `DROP DATABASE IF EXISTS ${database}${onCluster(placement)}` }));
  }
}

/** Whether a version was served until a moment ago. */
function isResting(version: string, publications: readonly Publication[]): boolean {
  const last = publications.findLastIndex((publication) => publication.version === version);
  const successor = publications[last + 1];
  return (
    last >= 0 && successor !== undefined && Date.now() - Date.parse(successor.publishedAt) < GRACE_MINUTES * 60_000
  );
}
