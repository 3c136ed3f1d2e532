import { createHash } from 'node:crypto';
import type { Condition } from '../../sql/query/conditions.ts';
import type { KeyValue, SortKey } from '../../sql/query/keyset.ts';
import { violated } from '../problem/problem.ts';
import type { CursorSeal, Position } from '../wire/cursor.ts';

/** Walking through a list page by page, up to the ceiling. */

export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 250;

/** Rows per question: there the walk ends, whatever is left. */
const ROW_CEILING = 10_000;

/** Digest of what a cursor belongs to. */
export function questionDigest(conditions: readonly Condition[], sort: readonly SortKey[]): string {
  const parts = [
    conditions.map(({ field, compare, value }) => [field.name, compare, value]),
    sort.map(({ field, direction }) => [field.name, direction]),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/**
 * The position that a cursor names; null = the beginning.
 * @throws Problem INVALID_CURSOR for a cursor that was altered or belongs to another question
 */
export function positionOf(cursor: string | undefined, question: string, cursors: CursorSeal): Position | null {
  if (cursor === undefined) return null;
  const position = cursors.open(cursor);
  const detail = position === null ? 'was not issued by this service' : 'belongs to other filters or another sort';
  if (position?.question === question) return position;
  throw violated([{ parameter: 'cursor', code: 'INVALID_CURSOR', detail: `cursor ${detail}` }]);
}

/** Rows that the next page may have. */
export const pageSize = (limit: number, position: Position | null): number =>
  Math.min(limit, ROW_CEILING - (position?.delivered ?? 0));

interface Page {
  /** Rows of this page. */
  readonly count: number;
  /** Whether the list goes on behind it. */
  readonly more: boolean;
  readonly lastKey: readonly KeyValue[];
}

/** PageMeta of interface.md, and the cursor of the next page. */
export function pageMeta(page: Page, total: number, position: Position | null, question: string, cursors: CursorSeal) {
  const delivered = (position?.delivered ?? 0) + page.count;
  const truncated = page.more && delivered >= ROW_CEILING;
  const hasMore = page.more && !truncated;
  const cursor = hasMore ? cursors.seal({ key: page.lastKey, delivered, question }) : null;
  return { count: page.count, hasMore, cursor, total, truncated };
}
