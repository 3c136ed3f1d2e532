import { existsSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { Locked } from '../../runtime/lock-file.ts';
import { onCluster } from '../../sql/warehouse/clickhouse/placement.ts';
import {
  addPublication,
  databaseOf,
  databasesBeside,
  insertErasure,
  pointerStatements,
  serverErasures,
  serverPublications,
  serverReport,
  type VersionDatabase,
  versionDatabases,
} from '../../sql/warehouse/clickhouse/publications.ts';
import { erasuresIn } from '../../sql/warehouse/erasures.ts';
import {
  listVersions,
  type Publication,
  parseVersionId,
  removeVersion,
  surplus,
  type Version,
  versionFile,
} from '../../sql/warehouse/versions.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { serverDestination } from '../direct/destination.ts';
import { letMerge } from '../direct/merges.ts';
import { fetchTables } from '../direct/tables.ts';
import { openReadOnly } from '../duckdb/connection.ts';
import { openClickhouseSource } from '../export/clickhouse-source.ts';
import { openFolderSource } from '../export/duckdb-source.ts';
import { carryOut, quorumSettings } from '../load/cluster.ts';
import { databasesOfOneServer, extendToAllServers } from '../load/joining-servers.ts';
import { loadVersion } from '../load/load.ts';
import { type LoadServer, type LoadServerOptions, openLoadServer } from '../load/server.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { type BuildReport, readReport } from '../run/build-report.ts';
import type { TaskContext } from '../run/task-context.ts';
import { folderTarget } from './folder.ts';
import { refuseLostHistory } from './refuse-lost-history.ts';

/**
 * A version stays for this many minutes after another one has replaced it. Readers open the new one within a second and
 * no query lasts longer than half a minute; the rest is for machines that were asleep.
 */
const GRACE_MINUTES = 15;

/** A load that has not sent a row for this many minutes has ended. */
const SILENT_MINUTES = 30;

/** Versions are served from a ClickHouse server, into which finished versions of the folder are loaded. */
export function clickhouseTarget(folder: string, options: Omit<LoadServerOptions, 'loader'>): PublicationTarget {
  const server = openLoadServer({ ...options, loader: `${hostname()}:${folder}` });
  const publications = () => server.retryBriefly(() => serverPublications(server.client, server.prefix));
  const databases = () => server.retryBriefly(() => versionDatabases(server.client, server.prefix));
  return {
    name: server.name,
    publications,
    versions: async () => mergeVersions(await databases(), listVersions(folder)),
    report: async (version) => readReport(folder, version) ?? (await storedReport(server, version)),
    async dumpSource(version, memoryMb, signal) {
      const isThere = (await databases()).some(({ id, complete }) => id === version && complete);
      return isThere
        ? openClickhouseSource(server, version, memoryMb, signal)
        : openFolderSource(folder, version, memoryMb, signal);
    },
    async tables(version, wanted, signal) {
      const isThere = (await databases()).some(({ id, complete }) => id === version && complete);
      return isThere
        ? fetchTables(server, version, wanted, signal)
        : folderTarget(folder).tables(version, wanted, signal);
    },
    async nextSequence() {
      const begun = [...(await databases()), ...(await publications()), ...listVersions(folder)];
      return Math.max(0, ...begun.map(({ sequence }) => sequence)) + 1;
    },
    async begin(version, served, task) {
      const present = await databases();
      // A user who may not load learns it before the build, which can take an hour, not after it.
      await preparePointer(server, present, task);
      if (served !== null) requireHistory(server, folder, served, present);
      await makeRoom(server, present);
      const has = async (id: string) => (await databases()).some((one) => one.id === id && one.complete);
      return serverDestination({ server, version, task, has });
    },
    refuseLostHistory: () => refuseLostHistory(server.name, folder, ({ failedChecks }) => failedChecks.length === 0),
    async load(version, task) {
      const present = await databases();
      await preparePointer(server, present, task);
      if (present.some(({ id, complete }) => id === version && complete))
        return letMerge(server, databaseOf(server.prefix, version), 'START', task);
      if (!existsSync(versionFile(folder, version))) {
        throw new BuildRefused(
          `${version} is neither complete on ${server.name} nor in ${folder}: build its export again.`,
        );
      }
      await makeRoom(server, present);
      const limits = { memoryMb: task.memoryMb, threads: 2, temporaryFolder: `${task.folder}/temporary` };
      const engine = await openReadOnly(versionFile(folder, version), limits, task.signal);
      try {
        await loadVersion({ server, engine, folder, version, task });
      } catch (error) {
        if (!(error instanceof BuildRefused)) {
          task.progress.note(
            `${version} is complete in ${folder}; to load it again: npm run ingest -- publish ${version}`,
          );
        }
        throw error;
      } finally {
        await engine.close();
        rmSync(task.folder, { recursive: true, force: true });
      }
    },
    async publish(version, cause, forced = []) {
      const all = await publications();
      const parsed = parseVersionId(version);
      if (parsed === null) throw new Error(`${version} is no id of a version`);
      const { id, ...rest } = parsed;
      // Each attempt takes the time anew, since readers go by it and attempts may be many minutes apart.
      const publication = (): Publication => ({
        ...{ version: id, ...rest, publishedAt: new Date().toISOString(), cause },
        ...(forced.length > 0 ? { forced: [...forced] } : {}),
      });
      const { client, prefix } = server;
      await server.retryPersistently(async () =>
        addPublication(
          client,
          prefix,
          all.length + 1,
          publication(),
          await quorumSettings(server, prefix, 'publications'),
        ),
      );
      // The attempt that took effect may be one whose answer was lost.
      return (await publications())[all.length] ?? publication();
    },
    async erasures() {
      const all = [
        ...erasuresIn(folder),
        ...(await server.retryBriefly(() => serverErasures(server.client, server.prefix))),
      ];
      return [...new Map(all.toReversed().map((one) => [one.nummer, one])).values()].toReversed();
    },
    async erase(erasure, task) {
      await preparePointer(server, await databases(), task);
      const { client, prefix } = server;
      await server.retryPersistently(
        async () => insertErasure(client, prefix, erasure, await quorumSettings(server, prefix, 'erasures')),
        task,
      );
    },
    async prune(keep) {
      const all = await publications();
      const present = await databases();
      const removable = surplus(mergeVersions(present, listVersions(folder)), all, keep).map(({ id }) => id);
      const retained = new Set(removable.filter((id) => isInGracePeriod(id, all)));
      const unfinished = present.filter((database) => !database.complete && !isLoadedElsewhere(server, database));
      const removed = present.filter(({ id, complete }) => complete && removable.includes(id) && !retained.has(id));
      await drop(server, [...unfinished, ...removed]);
      const local = listVersions(folder).filter(({ id }) => removable.includes(id));
      for (const { id } of local) removeVersion(folder, id);
      return [...new Set([...removed, ...local].map(({ id }) => id))].filter((id) => !retained.has(id)).sort();
    },
    close: () => server.close(),
  };
}

/** Versions that are complete on the server, or in the folder and could be loaded; oldest build first. */
function mergeVersions(databases: readonly VersionDatabase[], local: readonly Version[]): Version[] {
  const all = new Map([...local, ...databases.filter(({ complete }) => complete)].map(({ id, ...rest }) => [id, rest]));
  return [...all]
    .map(([id, { sequence, exportDay }]) => ({ id, sequence, exportDay }))
    .sort((a, b) => a.sequence - b.sequence);
}

/**
 * The databases that every server of the cluster should have: the pointer, and complete versions.
 * @throws BuildRefused when the pointer is that of a server which was alone before
 */
async function sharedDatabases(server: LoadServer, present: readonly VersionDatabase[]): Promise<string[]> {
  const { prefix } = server;
  const complete = present.filter((one) => one.complete).map(({ database }) => database);
  const own = await server.retryBriefly(() => databasesOfOneServer(server, [prefix, ...complete]));
  if (own.includes(prefix)) {
    throw new BuildRefused(
      `The database ${prefix} of ${server.name} is not replicated, since it was made before there was a cluster. ` +
        'Load the newest version of the folder into empty servers: docs/operations.md, ClickHouse.',
    );
  }
  return [prefix, ...complete.filter((database) => !own.includes(database))];
}

/** Makes the pointer, and what other servers have of this warehouse on those that were added. */
async function preparePointer(
  server: LoadServer,
  present: readonly VersionDatabase[],
  task: TaskContext,
): Promise<void> {
  const { client, prefix, placement } = server;
  // The pointer is there by its own definition before it is made anew where it is missing.
  const shared = await sharedDatabases(server, present);
  await server.retryPersistently(() => extendToAllServers(server, shared, task.progress), task);
  await server.retryPersistently(async () => {
    for (const statement of pointerStatements(prefix, placement))
      await carryOut(server, client, statement, task.progress);
  }, task);
}

async function storedReport(
  { client, prefix, retryBriefly }: LoadServer,
  version: string,
): Promise<BuildReport | null> {
  const report = await retryBriefly(() => serverReport(client, prefix, version));
  return report === null ? null : (JSON.parse(report) as BuildReport);
}

const isLoadedElsewhere = (server: LoadServer, { loader, idleSeconds }: VersionDatabase): boolean =>
  loader !== server.loader && idleSeconds !== null && idleSeconds < SILENT_MINUTES * 60;

/** @throws Locked when another machine loads */
function refuseWhileLoading(server: LoadServer, databases: readonly VersionDatabase[]): void {
  const other = databases.find((database) => !database.complete && isLoadedElsewhere(server, database));
  if (other === undefined) return;
  throw new Locked(
    `${other.loader} loads ${other.id} into ${server.name}; its last rows came ${other.idleSeconds} s ago. ` +
      `Wait until it has ended; if that process is gone: DROP DATABASE ${other.database}. Nothing was published.`,
  );
}

/** @throws BuildRefused when the version that is served is not there any more */
function requireHistory(
  { name }: LoadServer,
  folder: string,
  { version }: Publication,
  databases: readonly VersionDatabase[],
): void {
  if (databases.some(({ id, complete }) => id === version && complete)) return;
  const remedy = existsSync(versionFile(folder, version))
    ? `${folder} still has it: npm run ingest -- publish ${version}`
    : 'Bring its database back from the backup; or serve an earlier version: npm run ingest -- rollback <version>';
  throw new BuildRefused(
    `${version} is served, but ${name} does not have it any more, so its history would be lost. ${remedy}.`,
  );
}

/**
 * Drops the databases of loads that did not end.
 * @throws Locked when another machine loads
 */
async function makeRoom(server: LoadServer, databases: readonly VersionDatabase[]): Promise<void> {
  refuseWhileLoading(server, databases);
  await drop(
    server,
    databases.filter(({ complete }) => !complete),
  );
  const beside = await server.retryBriefly(() => databasesBeside(server.client, server.prefix));
  await drop(server, beside);
}

/** Running queries still complete: the server keeps the tables of a dropped database until no query reads them. */
async function drop(server: LoadServer, databases: readonly Pick<VersionDatabase, 'database'>[]): Promise<void> {
  const { client, placement, retryBriefly } = server;
  for (const { database } of databases) {
    await retryBriefly(() => carryOut(server, client, `DROP DATABASE IF EXISTS ${database}${onCluster(placement)}`));
  }
}

/** Returns true for a version that was replaced less than GRACE_MINUTES ago. */
function isInGracePeriod(version: string, publications: readonly Publication[]): boolean {
  const last = publications.findLastIndex((publication) => publication.version === version);
  const successor = publications[last + 1];
  return (
    last >= 0 && successor !== undefined && Date.now() - Date.parse(successor.publishedAt) < GRACE_MINUTES * 60_000
  );
}
