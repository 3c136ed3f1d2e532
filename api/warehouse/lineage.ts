import type { Publication } from '../../sql/warehouse/versions.ts';
import type { VersionReader } from './version.ts';

/** Which earlier versions a delta leads from to an open one. */
export interface Lineage {
  /**
   * By id of the version: who holds it holds the open one too, once it has what changed in builds after this one. A
   * version that is missing was withdrawn, or came after the open one was built.
   */
  readonly anchors: ReadonlyMap<string, number>;
  /** Builds from which on every replaced row is known. */
  readonly completeFrom: number;
}

/** Reads it out of an open version. */
export async function readLineage(
  version: Pick<VersionReader, 'query'>,
  { version: id, sequence }: Publication,
): Promise<Lineage> {
  const rows = await version.query<{ version: string; anchor: number }>({
    text: 'SELECT version, anker AS anchor FROM vorgaenger',
    values: {},
  });
  const [dataset] = await version.query<{ completeFrom: number }>({
    text: 'SELECT coalesce(ersetztAb, sequence) AS completeFrom FROM dataset',
    values: {},
  });
  const anchors = new Map(rows.map((row) => [row.version, row.anchor]));
  return { anchors: anchors.set(id, sequence), completeFrom: dataset?.completeFrom ?? sequence };
}

/** A publication as one instance has seen it. */
export interface ObservedPublication extends Publication {
  /**
   * Unix milliseconds until which this instance went on with what was served before, because it had not found the
   * version yet or could not open it; 0 where it has seen nothing before.
   */
  readonly adoptedAt: number;
}

/**
 * The versions that somebody may have read who has begun at this moment, the oldest publication first. The one before
 * them all is null where nothing was served then.
 * @param publications every one there was, oldest first
 * @param since Unix milliseconds
 */
export function servedSince(publications: readonly ObservedPublication[], since: number): readonly (string | null)[] {
  const before = publications.findLastIndex(
    ({ publishedAt, adoptedAt: takenUpAt }) => Math.max(Date.parse(publishedAt), takenUpAt) < since - LAG_MILLISECONDS,
  );
  const later = publications.slice(before + 1).map(({ version }) => version);
  return [publications[before]?.version ?? null, ...later];
}

/** Other instances need some time, too, until they have opened a version, and clocks of clients are not exact. */
const LAG_MILLISECONDS = 30_000;
