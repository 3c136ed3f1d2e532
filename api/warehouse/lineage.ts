import { z } from 'zod';
import type { Publication } from '../../sql/warehouse/versions.ts';
import type { VersionReader } from './version.ts';

/** The earlier versions from which a delta leads to an open one. */
export interface DeltaOrigins {
  /**
   * Builds by id of the version: a mirror of it becomes one of the open version by all that changed in later builds. A
   * version that is missing was withdrawn, or was built after the open one.
   */
  readonly anchors: ReadonlyMap<string, number>;
  /** Every row that was replaced in this build or a later one is known. */
  readonly completeFrom: number;
}

const predecessorRow = z.strictObject({ version: z.string(), anchor: z.int() });
const completeFromRow = z.strictObject({ completeFrom: z.int() });

export async function readLineage(
  version: Pick<VersionReader, 'query'>,
  { version: id, sequence }: Publication,
): Promise<DeltaOrigins> {
  const rows = await version.query(predecessorRow, {
    text: 'SELECT version, anker AS anchor FROM vorgaenger',
    values: {},
  });
  const [dataset] = await version.query(completeFromRow, {
    text: 'SELECT coalesce(ersetztAb, sequence) AS completeFrom FROM dataset',
    values: {},
  });
  const anchors = new Map(rows.map((row) => [row.version, row.anchor]));
  return { anchors: anchors.set(id, sequence), completeFrom: dataset?.completeFrom ?? sequence };
}

/** A publication with the time at which this instance adopted it. */
export interface ObservedPublication extends Publication {
  /**
   * Unix milliseconds until which this instance served the version before, because it had not found the new one yet or
   * could not open it; 0 for publications that were there when it started.
   */
  readonly adoptedAt: number;
}

/**
 * Returns the versions that a reader which began at a moment may have met, oldest publication first. The first of them
 * is null when nothing was served then.
 * @param publications all of them, oldest first
 * @param since Unix milliseconds
 */
export function servedSince(publications: readonly ObservedPublication[], since: number): readonly (string | null)[] {
  const before = publications.findLastIndex(
    ({ publishedAt, adoptedAt }) => Math.max(Date.parse(publishedAt), adoptedAt) < since - LAG_MILLISECONDS,
  );
  const later = publications.slice(before + 1).map(({ version }) => version);
  return [publications[before]?.version ?? null, ...later];
}

/** Other instances also take time to open a version, and the clocks of clients are not exact. */
const LAG_MILLISECONDS = 30_000;
