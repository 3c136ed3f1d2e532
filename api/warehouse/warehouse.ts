import type { Logger } from '../../runtime/log.ts';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { type Lineage, readLineage, type Served } from './lineage.ts';
import type { Connections, OpenVersion, QueryTag, Reading } from './version.ts';

/** The dataset versions as requests see them: each takes the current one and keeps it until it is answered. */
export interface Warehouse {
  /** The version served now; null while none could be opened. Whoever takes one gives it back with `release`. */
  take(tag: QueryTag): Dataset | null;
  /** What is served now; null while no version could be opened. */
  served(): Publication | null;
  /** How the connections to it stand. */
  connections(): Connections;
  /** True while the published version is served, and nothing of it was found to be damaged. */
  upToDate(): boolean;
  /** The versions that are kept where published ones lie, oldest build first. */
  kept(): Promise<readonly Version[]>;
  /** What is known there of the build of a version; null where there is no report. */
  report(version: string): Promise<KeptReport | null>;
  /** Stops following the pointer and closes every version as its last reader leaves. */
  close(): void;
}

/** The report that a build leaves with its version. */
export interface KeptReport {
  /** JSON. */
  readonly text: string;
  /** When the build ended, Unix time, seconds. */
  readonly endedAt: number;
}

/** One version in the hands of one request. */
export interface Dataset extends Reading {
  readonly publication: Publication;
  /** Every publication there was until then, oldest first. */
  readonly publications: readonly Served[];
  readonly lineage: Lineage;
  release(): void;
}

/** Where published versions lie. */
export interface VersionStore {
  /** How it is called in the log. */
  readonly name: string;
  /** How long to wait between two looks at the pointer. */
  readonly lookMilliseconds: number;
  /** Something that changes whenever a version is published; null while there is none. */
  mark(): Promise<string | null>;
  /** Every publication there was, oldest first. */
  publications(): Promise<readonly Publication[]>;
  open(version: string): Promise<OpenVersion>;
  /** The complete versions, oldest build first. */
  versions(): Promise<readonly Version[]>;
  report(version: string): Promise<KeptReport | null>;
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

interface Current {
  publications: readonly Served[];
  publication: Publication;
  readonly version: OpenVersion;
  readonly lineage: Lineage;
  readers: number;
  retired: boolean;
}

/** Opens the current version of a shelf and follows the pointer from then on. */
export async function followVersions(store: VersionStore, log: Logger): Promise<Warehouse> {
  let served: Current | null = null;
  let seen: string | null = null;
  let failed: { readonly mark: string | null; readonly retryAt: number } | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    let mark: string | null = null;
    try {
      mark = await store.mark();
      if (mark === seen) {
        failed = null;
        return;
      }
      if (mark === failed?.mark && performance.now() < failed.retryAt) return;
      const all = await store.publications();
      if (all.length > 0) served = await follow(all, served);
      seen = mark;
      failed = null;
    } catch (error) {
      if (failed?.mark !== mark)
        log.error({ err: error, warehouse: store.name }, 'the published dataset version could not be opened');
      failed = { mark, retryAt: performance.now() + RETRY_MILLISECONDS };
    }
  };

  const follow = async (all: readonly Publication[], before: Current | null): Promise<Current> => {
    const publication = all.at(-1)!;
    if (before?.publication.version === publication.version) {
      before.publication = publication;
      before.publications = takenUp(all, before.publications);
      return before;
    }
    const began = performance.now();
    const version = await store.open(publication.version);
    const lineage = await prepared(version, publication);
    const ms = Math.round(performance.now() - began);
    log.info({ version: publication.version, before: before?.publication.version, ms }, 'dataset version opened');
    if (before !== null) retire(before);
    const publications = takenUp(all, before?.publications ?? null);
    return { publications, publication, version, lineage, readers: 0, retired: false };
  };

  const keepLooking = (): void => {
    timer = setTimeout(async () => {
      await look();
      if (!closed) keepLooking();
      else leave();
    }, store.lookMilliseconds);
  };

  const leave = (): void => {
    if (served !== null) retire(served);
    served = null;
    store.close();
  };

  await look();
  keepLooking();

  return {
    take: (tag) => (served === null ? null : lend(served, tag)),
    served: () => served?.publication ?? null,
    connections: () => served?.version.connections() ?? { busy: 0, idle: 0, waiting: 0 },
    upToDate: () => failed === null && served !== null && served.version.damage() === null,
    kept: () => store.versions(),
    report: (version) => store.report(version),
    close() {
      closed = true;
      clearTimeout(timer);
      leave();
    },
  };
}

/** Notes of the publications that are new since the last look that they are taken up now. */
function takenUp(all: readonly Publication[], before: readonly Served[] | null): Served[] {
  const now = Date.now();
  return all.map((publication, place) => ({
    ...publication,
    takenUpAt: before === null ? 0 : (before[place]?.takenUpAt ?? now),
  }));
}

/** Warms a version up; one that cannot be read is closed. */
async function prepared(version: OpenVersion, publication: Publication): Promise<Lineage> {
  try {
    const reading = version.readFor({ operation: 'warehouse.open', request: null });
    for (const text of WARM_UP) await reading.query({ text, values: {} });
    return await readLineage(reading, publication);
  } catch (error) {
    version.close();
    throw error;
  }
}

function lend(served: Current, tag: QueryTag): Dataset {
  served.readers += 1;
  let held = true;
  return {
    ...served.version.readFor(tag),
    publication: served.publication,
    publications: served.publications,
    lineage: served.lineage,
    release() {
      if (!held) return;
      held = false;
      served.readers -= 1;
      closeWhenLeft(served);
    },
  };
}

function retire(served: Current): void {
  if (served.retired) return;
  served.retired = true;
  closeWhenLeft(served);
}

function closeWhenLeft(served: Current): void {
  if (served.retired && served.readers === 0) served.version.close();
}
