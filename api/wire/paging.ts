import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MAX_PAGE_SIZE, MAX_ROWS_PER_QUERY } from '../../sql/org/callers.ts';
import { violated } from '../problem/problem.ts';
import { type Notation, queryNotation } from './notation.ts';
import { type TokenSigner, tokenSealer, tokenSigner } from './signed-token.ts';

/** Lists page by page, up to the ceiling of rows that one question delivers. */

const DEFAULT_PAGE = 100;

/** Bytes of rows after which a page of an organisation's own records ends, however many rows were requested. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** `limit` and `cursor`, as every list takes them. */
export const pageShape = (notation: Notation) => ({
  limit: notation
    .wholeNumber(1, MAX_PAGE_SIZE)
    .default(DEFAULT_PAGE)
    .describe('Rows per page, at most; a page of large rows may end earlier, with `hasMore: true`'),
  cursor: notation.text().optional().describe('Opaque, from the page before; bound to filters and sort'),
});

export const pageParameters = pageShape(queryNotation);

/** Parameters of a list whose reader keeps the cursor (`resumableFrom` below). */
export const resumablePageParameters = {
  ...pageParameters,
  cursor: pageParameters.cursor.describe(
    'Opaque, from the page before; bound to filters and sort. Keep that of the last page to read later only what is new',
  ),
};

/** `meta` of a list; `truncated` where the list ended at the ceiling although there are more rows. */
export const listMetaShape = {
  count: z.int(),
  hasMore: z.boolean(),
  cursor: z.string().nullable(),
  truncated: z.boolean(),
};

/** `meta` of such a list. */
export const resumableMetaShape = {
  ...listMetaShape,
  cursor: z.string().describe('Where to go on: now while `hasMore` is true, later when it is false'),
};

/** Digests the question that a cursor belongs to: everything that decides which rows there are, and in which order. */
const questionDigest = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16);

/**
 * Reads the position from a cursor; null = the beginning.
 * @throws Problem INVALID_CURSOR for a cursor that was altered or belongs to another question
 */
function positionOf(
  cursor: string | undefined,
  question: string,
  cursors: CursorSigner,
  notation: Notation,
): Position | null {
  if (cursor === undefined) return null;
  const position = cursors.verify(cursor);
  const detail =
    position === null ? 'was not issued by this service' : 'belongs to another list, other filters or another sort';
  if (position?.question === question) return position;
  throw violated([{ ...notation.location('cursor'), code: 'INVALID_CURSOR', detail: `cursor ${detail}` }]);
}

/** Counts the rows that the next page may have. */
const pageSize = (limit: number, position: Position | null): number =>
  Math.min(limit, MAX_ROWS_PER_QUERY - (position?.delivered ?? 0));

interface Page {
  /** Rows of this page. */
  readonly count: number;
  /** True when another page follows. */
  readonly more: boolean;
  /** Values of the sort keys in the last row delivered, by this page or one before; null = there was none yet. */
  readonly lastKey: Position['key'] | null;
  /** The position from which a resumable list goes on after its end; null = the list does not go on. */
  readonly resumeAt: Position['key'] | null;
}

/** PageMeta of interface.md, and the cursor of the next page. */
function pageMeta(
  page: Page,
  position: Position | null,
  question: string,
  memo: Memo | undefined,
  cursors: CursorSigner,
) {
  const delivered = (position?.delivered ?? 0) + page.count;
  const truncated = page.more && delivered >= MAX_ROWS_PER_QUERY;
  const hasMore = page.more && !truncated;
  const key = hasMore ? page.lastKey : page.resumeAt;
  // Whoever goes on after the end asks a new question, which has its rows still before it.
  const cursor = key === null ? null : cursors.sign({ key, delivered: hasMore ? delivered : 0, question, memo });
  return { count: page.count, hasMore, cursor, truncated };
}

/** The request for a page of a list. */
interface ListRequest {
  readonly path: string;
  readonly query: { readonly limit: number; readonly cursor?: string | undefined };
  /** The notation of the question. Default: query. */
  readonly notation?: Notation;
  /** The query that links repeat; null where the page does not write them, but says where they lead (`links`). */
  readonly search: URLSearchParams | null;
  readonly service: { readonly settings: { readonly BASE_URL: string }; readonly cursors: CursorSigner };
  /**
   * Everything that decides which rows there are. Lists of an organisation include the organisation: its cursors are
   * its own.
   */
  readonly question: unknown;
  /**
   * The position before the first row of a list that only grows at its end, so that a reader can keep the cursor of the
   * last page and go on later with the rows that have come since. The cursor is then never null; `hasMore` and `Link`
   * say what follows now. Absent for any other list, whose last page has none.
   */
  readonly resumableFrom?: Position['key'];
  /** True for a list that no ceiling cuts off. */
  readonly endless?: true;
}

interface PageOptions {
  /** Carried over to the next page. */
  readonly memo?: Memo | undefined;
  /** Rows that fit. Default: all that the page may have. */
  readonly fitting?: number;
  /**
   * The end of a resumable list when the rows were read: a reader of only some of its rows goes on from there. Default: the
   * last row delivered.
   */
  readonly end?: Position['key'];
  /** The last row that was read, where further ones follow it though all of these fit. */
  readonly goesOn?: Position['key'] | null;
}

/**
 * Opens the page that a cursor points to.
 * @throws Problem INVALID_CURSOR for a cursor that was altered or belongs to another question
 */
export function openPage(request: ListRequest) {
  const {
    path,
    query,
    notation = queryNotation,
    search,
    service,
    question,
    resumableFrom = null,
    endless = false,
  } = request;
  const { settings, cursors } = service;
  const digest = questionDigest([path, question]);
  const reached = positionOf(query.cursor, digest, cursors, notation);
  const position = endless && reached !== null ? { ...reached, delivered: 0 } : reached;
  const size = pageSize(query.limit, position);
  return {
    /** Values of the sort keys in the last row delivered; null = from the beginning. */
    after: position?.key ?? null,
    /** Rows delivered so far. */
    delivered: position?.delivered ?? 0,
    /** Rows to read: one more than the page has, which shows whether another page follows. */
    fetchLimit: size + 1,
    /** The values that the previous page has carried over. */
    memo: position?.memo,
    /** Makes the page of these rows, or of the first ones that fit: its rows, the `meta`, and the `Link` header or what it is made of. */
    page<Row>(found: readonly Row[], keyOf: (row: Row) => Position['key'], options: PageOptions = {}) {
      const rows = found.slice(0, Math.min(size, options.fitting ?? size));
      const last = rows.at(-1);
      const goesOn = found.length > rows.length ? null : (options.goesOn ?? null);
      const lastKey = goesOn ?? (last === undefined ? (position?.key ?? null) : keyOf(last));
      const more = found.length > rows.length || goesOn !== null;
      const end = more ? lastKey : (options.end ?? lastKey ?? resumableFrom);
      const page = { count: rows.length, more, lastKey, resumeAt: resumableFrom === null ? null : end };
      const meta = pageMeta(page, position, digest, options.memo, cursors);
      const links: PageLinks = { path, next: meta.hasMore ? meta.cursor : null };
      const link = search === null ? null : linkHeader(settings.BASE_URL, links, search);
      return { rows, meta, links, headers: link === null ? {} : { Link: link } };
    },
  };
}

/** The rows of a list. */
interface Rows<Row> {
  /** Values of the sort keys in a row. */
  keyOf(row: Row): Position['key'];
  /** Reads rows after a key, in order. */
  read(after: Position['key'] | null, limit: number): Promise<Row[]>;
}

/**
 * Reads one page of a list: its rows, the `meta` and the `Link` header. It ends early where its rows are large, but has
 * always one, so that the list can continue.
 */
export async function pageOf<Row>({ keyOf, read, ...request }: ListRequest & Rows<Row>) {
  const page = openPage(request);
  const rows = await read(page.after, page.fetchLimit);
  return page.page(rows, keyOf, { fitting: Math.max(1, rowsWithin(MAX_BYTES, rows)) });
}

/** Counts the rows from the beginning that take no more bytes than these, as JSON. */
export function rowsWithin(most: number, rows: readonly unknown[]): number {
  let bytes = 0;
  const beyond = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return bytes > most;
  });
  return beyond < 0 ? rows.length : beyond;
}

/** The place of a page in its list, from which its `Link` header is made. */
export interface PageLinks {
  /** Path of the list. */
  readonly path: string;
  /** Cursor of the next page; null = there is none. */
  readonly next: string | null;
}

/**
 * Writes the `Link` header of a page (RFC 8288): absolute addresses under the public base, with every parameter kept.
 * `next` where there is a further page, `first` on every page but the first.
 */
export function linkHeader(base: string, { path, next }: PageLinks, search: URLSearchParams): string | null {
  const address = (cursor: string | null): string => {
    const query = new URLSearchParams(search);
    query.delete('cursor');
    if (cursor !== null) query.append('cursor', cursor);
    return query.size === 0 ? `${base}${path}` : `${base}${path}?${query}`;
  };
  const links: string[] = [];
  if (next !== null) links.push(`<${address(next)}>; rel="next"`);
  if (search.has('cursor')) links.push(`<${address(null)}>; rel="first"`);
  return links.length === 0 ? null : links.join(', ');
}

/** A position in a list. Callers get it as a signed token, the opaque cursor. */
export interface Position {
  /** Values of the sort keys in the last row delivered. */
  readonly key: readonly (string | number | null)[];
  /** Rows delivered so far. */
  readonly delivered: number;
  /** Digest of filter and sort: a cursor is valid for one question only. */
  readonly question: string;
  /** Values that the list carries from page to page. */
  readonly memo?: Memo | undefined;
}

export type Memo = Readonly<Record<string, string | number>>;

/** The versions that the pages of a list were read from, in the memo of a list of the register. */
export const readMemo = (versions: readonly string[]): Memo => ({ versions: versions.join(' ') });

/** Ids of the versions that the pages up to this position were read from; none where the list does not carry them. */
export const versionsRead = ({ memo }: Pick<Position, 'memo'>): string[] =>
  memo?.versions === undefined ? [] : String(memo.versions).split(' ');

const positionShape = z.object({
  key: z.array(z.union([z.string(), z.number(), z.null()])),
  delivered: z.number().int(),
  question: z.string(),
  memo: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export interface CursorSigner {
  sign(position: Position): string;
  /** Returns the position, or null when this service has not signed exactly this text. */
  verify(cursor: string): Position | null;
}

export const cursorSigner = (key: string): CursorSigner => signerOver(tokenSigner('cursor', key));

/** Makes cursors that callers cannot read. */
export const sealingCursorSigner = (key: string): CursorSigner => signerOver(tokenSealer('cursor', key));

const signerOver = ({ sign, verify }: TokenSigner): CursorSigner => ({
  sign,
  verify(cursor) {
    const content = verify(cursor);
    return content === undefined ? null : positionShape.parse(content);
  },
});
