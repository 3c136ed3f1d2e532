import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { withoutErased } from '../../sql/query/erased.ts';
import { appliedErasure } from '../../sql/warehouse/erasures.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { type DeltaOrigins, type ObservedPublication, readLineage } from './lineage.ts';
import type { ConnectionGauges, OpenVersion, QueryTag, VersionBeside, VersionReader } from './version.ts';

/** The dataset versions as requests see them: each acquires the current one and releases it when it is answered. */
export interface Warehouse {
  /** Returns the version served now; null while none could be opened. Every dataset acquired has to be released. */
  acquire(tag: QueryTag): Dataset | null;
  /** Returns the publication served now; null while no version could be opened. */
  served(): Publication | null;
  /** Returns every publication up to that of the served version, oldest first. */
  publications(): readonly Publication[];
  /**
   * Opens a complete version of the store beside the served one; whoever opens it closes it.
   * @param tag of its statements
   */
  openBeside(version: string, tag: QueryTag): Promise<VersionBeside>;
  connections(): ConnectionGauges;
  /** Looks for a newer publication at once. Resolves when its version is served, or could not be opened. */
  catchUp(): Promise<void>;
  /** Returns true while the published version is served and no damage of it was found. */
  upToDate(): boolean;
  /** Lists the complete versions of the store, oldest build first. */
  versions(): Promise<readonly Version[]>;
  /** Returns the report of a version's build; null when there is none. */
  report(version: string): Promise<StoredReport | null>;
  /** Stops following the pointer and closes every version once its last reader has released it. */
  close(): void;
}

/** A build leaves it with its version. */
export interface StoredReport {
  /** JSON. */
  readonly text: string;
  /** Unix time of the end of the build, seconds. */
  readonly endedAt: number;
}

/** A version that one request has acquired. */
export interface Dataset extends VersionReader {
  readonly publication: Publication;
  /** Every publication until then, oldest first. */
  readonly publications: readonly ObservedPublication[];
  readonly lineage: DeltaOrigins;
  /** Numbers whose past is not told, although the version still has it. */
  readonly erased: readonly string[];
  release(): void;
}

/** The published versions, in a folder or on a server. */
export interface VersionStore {
  /** Name in the log. */
  readonly name: string;
  /** Pause between two reads of the pointer. */
  readonly pollMilliseconds: number;
  /** Returns a text that changes whenever a version is published, or something erased; null before the first publication. */
  revision(): Promise<string | null>;
  /** Lists every publication, oldest first. */
  publications(): Promise<readonly Publication[]>;
  /** Lists the numbers whose past is to be forgotten. */
  erasures(): Promise<readonly string[]>;
  open(version: string): Promise<OpenVersion>;
  /** Opens a version for statements alone, one at a time and within limits of their own. */
  openBeside(version: string, tag: QueryTag): Promise<VersionBeside>;
  /** Lists the complete versions, oldest build first. */
  versions(): Promise<readonly Version[]>;
  report(version: string): Promise<StoredReport | null>;
  close(): void;
}

/** Pause before a version that could not be opened is tried again; another version is tried at once. */
const RETRY_MILLISECONDS = 5_000;

/** Reads what most requests read, so that the first caller does not wait for the disk. */
const warmUp = (tables: ReadonlySet<string>): string[] => [
  ...Object.keys(PROJECTIONS)
    .filter((table) => tables.has(table))
    .map((table) => `SELECT max(mastrNummer), max(einheitTyp), max(bundesland) FROM ${table}`),
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
  readonly lineage: DeltaOrigins;
  /** Numbers whose past the version itself has forgotten. */
  readonly forgotten: ReadonlySet<string>;
  erased: readonly string[];
  readers: number;
  superseded: boolean;
}

/** Opens the current version of a store and follows its pointer from then on. */
export async function followVersions(store: VersionStore, log: Logger): Promise<Warehouse> {
  let served: ServedVersion | null = null;
  let seenRevision: string | null = null;
  let failed: { readonly revision: string | null; readonly retryAt: number } | null = null;
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
      if (revision === failed?.revision && performance.now() < failed.retryAt) return;
      const all = await store.publications();
      const newest = all.at(-1);
      if (newest !== undefined) served = await follow(newest, all, await store.erasures(), served);
      seenRevision = revision;
      failed = null;
    } catch (error) {
      if (failed?.revision !== revision)
        log.error({ err: error, warehouse: store.name }, 'the published dataset version could not be opened');
      failed = { revision, retryAt: performance.now() + RETRY_MILLISECONDS };
    }
  };

  const follow = async (
    publication: Publication,
    all: readonly Publication[],
    erasures: readonly string[],
    before: ServedVersion | null,
  ): Promise<ServedVersion> => {
    const remembered = (forgotten: ReadonlySet<string>) => erasures.filter((number) => !forgotten.has(number));
    if (before?.publication.version === publication.version) {
      before.publication = publication;
      before.erased = remembered(before.forgotten);
      before.publications = withAdoptionTimes(all, before.publications);
      return before;
    }
    const began = performance.now();
    const version = await store.open(publication.version);
    const { lineage, forgotten } = await warmedUp(version, publication);
    const ms = Math.round(performance.now() - began);
    log.info({ version: publication.version, before: before?.publication.version, ms }, 'dataset version opened');
    if (before !== null) supersede(before);
    const publications = withAdoptionTimes(all, before?.publications ?? null);
    const erased = remembered(forgotten);
    return { publications, publication, version, lineage, forgotten, erased, readers: 0, superseded: false };
  };

  let polling = Promise.resolve();
  let nextPoll: Promise<void> | null = null;

  /** Polls when the poll under way has ended, which may have read the pointer before the caller asked. */
  const pollAnew = (): Promise<void> => {
    nextPoll ??= polling.then(() => {
      nextPoll = null;
      polling = poll();
      return polling;
    });
    return nextPoll;
  };

  const schedulePoll = (): void => {
    timer = setTimeout(async () => {
      await pollAnew();
      if (!closed) schedulePoll();
      else closeAll();
    }, store.pollMilliseconds);
  };

  const closeAll = (): void => {
    if (served !== null) supersede(served);
    served = null;
    store.close();
  };

  await pollAnew();
  schedulePoll();

  return {
    acquire: (tag) => (served === null ? null : acquireVersion(served, tag)),
    served: () => served?.publication ?? null,
    publications: () => served?.publications ?? [],
    openBeside: (version, tag) => store.openBeside(version, tag),
    connections: () => served?.version.connections() ?? { busy: 0, idle: 0, waiting: 0 },
    catchUp: async () => {
      if (!closed) await pollAnew();
    },
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

/** Records that the publications which are new since the last poll are adopted now. */
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

/** Warms a version up, and reads its lineage and what it has forgotten; a version that cannot be read is closed. */
async function warmedUp(
  version: OpenVersion,
  publication: Publication,
): Promise<Pick<ServedVersion, 'forgotten' | 'lineage'>> {
  try {
    const reader = version.reader({ operation: 'warehouse.open', request: null, trace: null });
    for (const text of warmUp(reader.tables)) await reader.query(z.unknown(), { text, values: {} });
    const erasures = reader.tables.has('loeschungen')
      ? await reader.query(appliedErasure, { text: 'SELECT nummer, zeilen FROM loeschungen', values: {} })
      : [];
    const forgotten = new Set(erasures.map(({ nummer }) => nummer));
    return { lineage: await readLineage(reader, publication), forgotten };
  } catch (error) {
    version.close();
    throw error;
  }
}

function acquireVersion(served: ServedVersion, tag: QueryTag): Dataset {
  served.readers += 1;
  let released = false;
  const reader = served.version.reader(tag);
  const { erased } = served;
  return {
    ...reader,
    query: (shape, statement) => reader.query(shape, withoutErased(statement, erased)),
    kept: (shape, statement) => reader.kept(shape, withoutErased(statement, erased)),
    total: (statement) => reader.total(withoutErased(statement, erased)),
    erased,
    publication: served.publication,
    publications: served.publications,
    lineage: served.lineage,
    release() {
      if (released) return;
      released = true;
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
