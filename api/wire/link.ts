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
