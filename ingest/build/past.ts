import { basename } from 'node:path';
import type { Publication } from '../../sql/warehouse/versions.ts';
import { openArchive } from '../archive/archive.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { type BuildOutcome, buildVersion } from './build.ts';
import { type BuildOptions, rethrowAbort } from './options.ts';

/** An export, and its day where its name does not say it. */
interface PastExport {
  readonly source: string;
  readonly day: string | null;
}

/** What is built anew. */
interface Past {
  readonly exports: readonly PastExport[];
  /** Days whose states may be lost, as no export of them is given. */
  readonly mayForget: boolean;
  /** Called before each build. */
  begins(day: string, place: number): void;
}

/**
 * Builds the past anew: every export in the order of their days, from nothing and then night by night, beside what is served, and
 * publishes the last one. So the states are those of a warehouse that had taken the exports in as they came.
 * @throws BuildRefused when a state that is known would be lost; Locked, ArchiveError
 */
export const buildPast = (options: Omit<BuildOptions, 'day' | 'source'>, past: Past): Promise<BuildOutcome> =>
  withWarehouseLock(options.warehouse, `build of ${past.exports.length} exports`, () =>
    rethrowAbort(options, async () => {
      const { target } = options;
      const exports = await inOrder(past.exports);
      await requireKnownDays(target, exports, past.mayForget, options.signal);
      const chain = chainIn(target);
      let last: BuildOutcome | null = null;
      for (const [place, { source, day, of }] of exports.entries()) {
        past.begins(of, place);
        last = await buildVersion({ ...options, target: chain, source, day });
        if (last.publication === null) {
          const { failedChecks } = last.report;
          throw new BuildRefused(
            `The export of ${of} failed ${failedChecks.length} checks: ${failedChecks.join('; ')}. What is served stays; --force goes on all the same.`,
          );
        }
      }
      if (last === null) throw new BuildRefused('No export was named.');
      const publication = await target.publish(last.report.version, 'build', last.report.failedChecks);
      return { ...last, publication, pruned: await target.prune(options.keep) };
    }),
  );

interface DatedExport extends PastExport {
  /** The day that it is of. */
  readonly of: string;
}

/** Sorts exports by their days. @throws BuildRefused for two of one day, and for one whose day is nowhere said */
async function inOrder(exports: readonly PastExport[]): Promise<DatedExport[]> {
  const dated = exports.map(async (one) => {
    const { day, daySource } = await openArchive(one.source, one.day);
    return { ...one, of: day, daySource };
  });
  const all = await Promise.all(dated);
  // Time stamps are those of whoever packed the files again.
  const undated = all.filter(({ daySource }) => daySource === 'time stamp').map(({ source }) => basename(source));
  if (undated.length > 0)
    throw new BuildRefused(
      `The name does not say the day of the export: ${undated.join(', ')}. Rename it to Gesamtdatenexport_YYYYMMDD….zip, with the day that it is of.`,
    );
  const sorted = all.toSorted((one, other) => one.of.localeCompare(other.of));
  for (const [place, { source, of }] of sorted.entries()) {
    const before = sorted[place - 1];
    if (before?.of === of)
      throw new BuildRefused(`${basename(before.source)} and ${basename(source)} are both of ${of}; name one of them.`);
  }
  return sorted;
}

/** @throws BuildRefused when a state of the served version is of a day without an export */
async function requireKnownDays(
  target: PublicationTarget,
  exports: readonly DatedExport[],
  mayForget: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const served = (await target.publications()).at(-1);
  if (served === undefined) return;
  const days = new Set(exports.map(({ of }) => of));
  const newest = exports.at(-1)?.of ?? '';
  if (newest < served.exportDay)
    throw new BuildRefused(
      `What is served is of ${served.exportDay}, and the newest of these exports of ${newest}: name the newer ones, too.`,
    );
  const lost = (await knownDays(target, served, signal)).filter((day) => !days.has(day));
  if (lost.length === 0 || mayForget) return;
  throw new BuildRefused(
    `The states of ${lost.join(', ')} would be lost: name the exports of these days, too, or say --forget-others.`,
  );
}

/** The days of the states that a version can tell. */
async function knownDays(target: PublicationTarget, served: Publication, signal?: AbortSignal): Promise<string[]> {
  const engine = await target.tables(served.version, { staende: {} }, signal ?? new AbortController().signal);
  if (engine === null) return [served.exportDay];
  try {
    const tables = await engine.rows("SELECT 1 FROM duckdb_tables() WHERE table_name = 'staende'");
    if (tables.length === 0) return [served.exportDay];
    const rows = await engine.rows<{ day: string }>(
      'SELECT CAST(exportDay AS VARCHAR) AS day FROM staende ORDER BY sequence',
    );
    return rows.map(({ day }) => day);
  } finally {
    await engine.close();
  }
}

/** The same place, in which versions follow each other without being served. */
function chainIn(target: PublicationTarget): PublicationTarget {
  const chain: Publication[] = [];
  return {
    ...target,
    publications: async () => chain,
    refuseLostHistory: () => {},
    async publish(version, cause, forced = []) {
      const made = (await target.versions()).find(({ id }) => id === version);
      if (made === undefined) throw new BuildRefused(`${version} is gone.`);
      const { sequence, exportDay } = made;
      const publication: Publication = {
        ...{ version, sequence, exportDay, publishedAt: new Date().toISOString(), cause },
        ...(forced.length > 0 ? { forced: [...forced] } : {}),
      };
      chain.push(publication);
      return publication;
    },
  };
}
