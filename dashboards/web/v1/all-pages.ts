import type { Answer } from './client.ts';
import type { ApiRequest } from './request.ts';
import type { ListMeta } from './tenders.ts';
import type { Loading } from './use-answer.ts';

/** Rows of a list that was read page by page. */
export interface Gathered<Row> {
  readonly rows: readonly Row[];
  /** False: the list goes on. */
  readonly isComplete: boolean;
}

/** The most rows that a page may have. */
export const PAGE_SIZE = 250;

/**
 * Reads a list page by page, and tells how far it is.
 * @param of rows that the list has, as far as that is known; null = not known
 * @param most rows that are read at most: a whole number of pages
 */
export async function allPages<Row>(
  { ask, progress }: Loading,
  { path, query = {} }: ApiRequest,
  { of = null, most }: { readonly of?: number | null; readonly most: number },
): Promise<Gathered<Row>> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer<readonly Row[], ListMeta> = await ask({
      path,
      query: { ...query, limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) },
    });
    rows.push(...page.data);
    cursor = page.meta.hasMore ? page.meta.cursor : null;
    if (cursor === null) return { rows, isComplete: !page.meta.truncated };
    progress({ done: rows.length, of: of === null ? null : Math.max(of, rows.length) });
  } while (rows.length < most);
  return { rows, isComplete: false };
}
