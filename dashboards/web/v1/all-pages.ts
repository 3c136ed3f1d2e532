import type { PageMeta } from './answers.ts';
import type { Answer } from './client.ts';
import type { ApiRequest } from './request.ts';
import type { ListMeta } from './tender-answers.ts';
import type { Loading } from './use-answer.ts';

/** Rows of a list that was read page by page. */
export interface Gathered<Row> {
  readonly rows: readonly Row[];
  /** False: the list goes on. */
  readonly isComplete: boolean;
  /** Rows that the list has, also those that were not read; null = the interface does not say. */
  readonly total: number | null;
}

/** The most rows that a page may have, unless the limits of an organisation say otherwise. */
export const PAGE_SIZE = 250;

/** Lists of units have a page in their meta, others are one. */
type AnyPage<Row> = Answer<readonly Row[], ListMeta | { readonly page: PageMeta }>;

/**
 * Reads a list page by page, and tells how far it is.
 * @param request its `limit` is the size of the pages. Default: `PAGE_SIZE`
 * @param of rows that the list has, where its pages do not say it; null = not known
 * @param most rows that are read at most. Default: all that the interface gives
 * @throws Refused; DOMException AbortError
 */
export async function allPages<Row>(
  { ask, progress }: Pick<Loading, 'ask' | 'progress'>,
  { path, query = {} }: ApiRequest,
  { of = null, most = Number.POSITIVE_INFINITY }: { readonly of?: number | null; readonly most?: number } = {},
): Promise<Gathered<Row>> {
  const rows: Row[] = [];
  let total = of;
  let cursor: string | null = null;
  do {
    const { data, meta }: AnyPage<Row> = await ask({
      path,
      query: { ...query, limit: query.limit ?? PAGE_SIZE, cursor },
    });
    const page: PageMeta = 'page' in meta ? meta.page : meta;
    rows.push(...data);
    total = page.total ?? total;
    cursor = page.hasMore ? page.cursor : null;
    if (cursor === null)
      return { rows: rows.slice(0, most), total, isComplete: !page.truncated && rows.length <= most };
    const end = total === null ? null : Math.min(Math.max(total, rows.length), most);
    progress({ done: Math.min(rows.length, most), of: end });
  } while (rows.length < most);
  return { rows: rows.slice(0, most), total, isComplete: false };
}

/** Rows in parts of this size, of which the last may be smaller. */
export const chunks = <T>(rows: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));
