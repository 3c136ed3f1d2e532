import type { Publication } from '../../sql/warehouse/versions.ts';
import type { Reading } from './version.ts';

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
  version: Pick<Reading, 'query'>,
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

/**
 * The versions that anybody may have read at this moment or later, as far as the pointer knows: the one that was served
 * then comes first, null where nothing was.
 * @param publications every one there was, oldest first
 * @param since Unix milliseconds
 */
export function servedSince(
  publications: readonly Publication[],
  since: number,
): { first: string | null; later: readonly string[] } {
  const before = publications.findLastIndex(({ publishedAt }) => Date.parse(publishedAt) < since - LAG_MILLISECONDS);
  const later = publications.slice(before + 1).map(({ version }) => version);
  return { first: publications[before]?.version ?? null, later };
}

/** An instance goes on with the version before until it has found and opened the new one. */
const LAG_MILLISECONDS = 5_000;
