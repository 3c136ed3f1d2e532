import type { Publication } from '../../sql/warehouse/versions.ts';

/**
 * Decides which published versions are news, and compared with what. The line of a version is the version that was served
 * when it was first published, the one that was served when that one was, and so on. A version that was rolled back is not on the line of
 * what is served since: nobody is told of it any more.
 */

/** The first publication of a version, and its place among all publications. */
export interface FirstPublication {
  readonly version: string;
  /** RFC 3339. */
  readonly publishedAt: string;
  readonly place: number;
  /** The version that was served until then; null = none was. */
  readonly before: string | null;
}

/** @param publications oldest first; @returns by version */
export function firstPublications(publications: readonly Publication[]): ReadonlyMap<string, FirstPublication> {
  const first = new Map<string, FirstPublication>();
  for (const [place, { version, publishedAt }] of publications.entries()) {
    if (first.has(version)) continue;
    first.set(version, { version, publishedAt, place, before: publications[place - 1]?.version ?? null });
  }
  return first;
}

/** The line of a version, which is its first element. */
export function lineOf(version: string, first: ReadonlyMap<string, FirstPublication>): FirstPublication[] {
  const line: FirstPublication[] = [];
  for (
    let next = first.get(version);
    next !== undefined;
    next = next.before === null ? undefined : first.get(next.before)
  )
    line.push(next);
  return line;
}

/** News that are older interest nobody. */
const NEWS_DAYS = 30;
const DAY_MILLISECONDS = 86_400_000;

/** A version whose news are still to be told. */
export interface PendingVersion extends FirstPublication {
  /** The version that this one is compared with; null = nothing is news, as nothing was served before. */
  readonly comparedWith: string | null;
}

/**
 * Returns the versions that are to be evaluated, oldest publication first. Where one is not kept any more, its news belong
 * to those of the next.
 * @param line of the served version
 * @param ended versions that were evaluated
 * @param kept versions that can be read
 * @param now Unix milliseconds
 */
export function pendingVersions(
  line: readonly FirstPublication[],
  ended: ReadonlySet<string>,
  kept: ReadonlySet<string>,
  now: number,
): PendingVersion[] {
  const isDone = ({ version, publishedAt }: FirstPublication) =>
    ended.has(version) || now - Date.parse(publishedAt) > NEWS_DAYS * DAY_MILLISECONDS;
  const done = line.findIndex(isDone);
  const open = done < 0 ? line : line.slice(0, done);
  const pending: PendingVersion[] = [];
  // Of the very first version nothing is news, whether or not it is still kept.
  let comparedWith = done < 0 ? null : (line[done]?.version ?? null);
  for (const one of open.toReversed()) {
    const isFirst = one.before === null;
    if (!isFirst && !kept.has(one.version)) continue;
    pending.push({ ...one, comparedWith });
    comparedWith = one.version;
  }
  return pending;
}

/**
 * Returns the versions that were published after the earlier one of a comparison and withdrawn: what was told of them is no
 * news any more. Some may have been published after the later one, too, when it was not evaluated before they were.
 */
export function withdrawnSince(
  { comparedWith }: PendingVersion,
  line: readonly FirstPublication[],
  first: ReadonlyMap<string, FirstPublication>,
): string[] {
  const onLine = new Set(line.map(({ version }) => version));
  const from = comparedWith === null ? -1 : (first.get(comparedWith)?.place ?? -1);
  return [...first.values()]
    .filter(({ place, version }) => place > from && !onLine.has(version))
    .map(({ version }) => version);
}
