import type { Logger } from '../../runtime/log.ts';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { type Lineage, type ObservedPublication, readLineage } from './lineage.ts';
import type { ConnectionGauges, OpenVersion, QueryTag, VersionReader } from './version.ts';

/** The dataset versions as requests see them: each takes the current one and keeps it until it is answered. */
export interface Warehouse {
  /** The version served now; null while none could be opened. Whoever takes one gives it back with `release`. */
  acquire(tag: QueryTag): Dataset | null;
  /** What is served now; null while no version could be opened. */
  served(): Publication | null;
  /** How the connections to it stand. */
  connections(): ConnectionGauges;
  /** True while the published version is served, and nothing of it was found to be damaged. */
  upToDate(): boolean;
  /** The versions that are kept where published ones lie, oldest build first. */
  versions(): Promise<readonly Version[]>;
  /** What is known there of the build of a version; null where there is no report. */
  report(version: string): Promise<BuildReport | null>;
  /** Stops following the pointer and closes every version as its last reader leaves. */
  close(): void;
}

/** The report that a build leaves with its version. */
export interface BuildReport {
  /** JSON. */
  readonly text: string;
  /** When the build ended, Unix time, seconds. */
  readonly endedAt: number;
}

/** One version in the hands of one request. */
export interface Dataset extends VersionReader {
  readonly publication: Publication;
  /** Every publication there was until then, oldest first. */
  readonly publications: readonly ObservedPublication[];
  readonly lineage: Lineage;
  release(): void;
}

/** Where published versions lie. */
export interface VersionStore {
  /** How it is called in the log. */
  readonly name: string;
  /** How long to wait between two looks at the pointer. */
  readonly pollMilliseconds: number;
  /** Something that changes whenever a version is published; null while there is none. */
  revision(): Promise<string | null>;
  /** Every publication there was, oldest first. */
  publications(): Promise<readonly Publication[]>;
  open(version: string): Promise<OpenVersion>;
  /** The complete versions, oldest build first. */
  versions(): Promise<readonly Version[]>;
  report(version: string): Promise<BuildReport | null>;
  close(): void;
}

/** Until a version that could not be opened is tried again; another one is tried at once. */
const RETRY_MILLISECONDS = 5_000;

/** Touches what most requests read, so that the first caller does not wait for the disk. */
const WARM_UP = [
  ...Object.keys(PROJECTIONS).map((table) => `SELECT max(mastrNummer), max(einheitTyp), max(bundesland) FROM ${table}`),
  'SELECT sum(anzahl), sum(kw), max(tag) FROM bundesland_tage',
  'SELECT sum(anzahl), sum(kw), max(tag) FROM deutschland_tage',
  'SELECT count(DISTINCT landkreis) FROM regionen',
  'SELECT sum(kw) FROM aggregationen',
  'SELECT max(suchtext), sum(anzahl) FROM referenzwerte',
];

interface ServedVersion {
  publications: readonly ObservedPublication[];
  publication: Publication;
  readonly version: OpenVersion;
  readonly lineage: Lineage;
  readers: number;
  superseded: boolean;
}

/** Opens the current version of a shelf and follows the pointer from then on. */
export async function followVersions(store: VersionStore, log: Logger): Promise<Warehouse> {
  let served: ServedVersion | null = null;
  let seenRevision: string | null = null;
  let failed: { readonly mark: string | null; readonly retryAt: number } | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const poll = async (): Promise<void> => {
    let revision: string | null = null;
    try {
      revision = await store.revision();
      if (revision === seenRevision) {
        failed = null;
        return;
      }
      if (revision === failed?.mark && performance.now() < failed.retryAt) return;
      const all = await store.publications();
      if (all.length > 0) served = await follow(all, served);
      seenRevision = revision;
      failed = null;
    } catch (error) {
      if (failed?.mark !== revision)
        log.error({ err: error, warehouse: store.name }, 'the published dataset version could not be opened');
      failed = { mark: revision, retryAt: performance.now() + RETRY_MILLISECONDS };
    }
  };

  const follow = async (all: readonly Publication[], before: ServedVersion | null): Promise<ServedVersion> => {
    const publication = all.at(-1)!;
    if (before?.publication.version === publication.version) {
      before.publication = publication;
      before.publications = withAdoptionTimes(all, before.publications);
      return before;
    }
    const began = performance.now();
    const version = await store.open(publication.version);
    const lineage = await warmedUp(version, publication);
    const ms = Math.round(performance.now() - began);
    log.info({ version: publication.version, before: before?.publication.version, ms }, 'dataset version opened');
    if (before !== null) supersede(before);
    const publications = withAdoptionTimes(all, before?.publications ?? null);
    return { publications, publication, version, lineage, readers: 0, superseded: false };
  };

  const schedulePoll = (): void => {
    timer = setTimeout(async () => {
      await poll();
      if (!closed) schedulePoll();
      else closeAll();
    }, store.pollMilliseconds);
  };

  const closeAll = (): void => {
    if (served !== null) supersede(served);
    served = null;
    store.close();
  };

  await poll();
  schedulePoll();

  return {
    acquire: (tag) => (served === null ? null : acquireVersion(served, tag)),
    served: () => served?.publication ?? null,
    connections: () => served?.version.connections() ?? { busy: 0, idle: 0, waiting: 0 },
    upToDate: () => failed === null && served !== null && served.version.damage() === null,
    versions: () => store.versions(),
    report: (version) => store.report(version),
    close() {
      closed = true;
      clearTimeout(timer);
      closeAll();
    },
  };
}

/** Notes of the publications that are new since the last look that they are taken up now. */
function withAdoptionTimes(
  all: readonly Publication[],
  before: readonly ObservedPublication[] | null,
): ObservedPublication[] {
  const now = Date.now();
  return all.map((publication, place) => ({
    ...publication,
    adoptedAt: before === null ? 0 : (before[place]?.adoptedAt ?? now),
  }));
}

/** Warms a version up; one that cannot be read is closed. */
async function warmedUp(version: OpenVersion, publication: Publication): Promise<Lineage> {
  try {
    const reading = version.reader({ operation: 'warehouse.open', request: null });
    for (const text of WARM_UP) await reading.query({ text, values: {} });
    return await readLineage(reading, publication);
  } catch (error) {
    version.close();
    throw error;
  }
}

function acquireVersion(served: ServedVersion, tag: QueryTag): Dataset {
  served.readers += 1;
  let released = true;
  return {
    ...served.version.reader(tag),
    publication: served.publication,
    publications: served.publications,
    lineage: served.lineage,
    release() {
      if (!released) return;
      released = false;
      served.readers -= 1;
      closeWhenUnused(served);
    },
  };
}

function supersede(served: ServedVersion): void {
  if (served.superseded) return;
  served.superseded = true;
  closeWhenUnused(served);
}

function closeWhenUnused(served: ServedVersion): void {
  if (served.superseded && served.readers === 0) served.version.close();
}
