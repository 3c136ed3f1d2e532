/** A question to the interface: what is sent, and what is shown to visitors as the request behind a figure. */
export interface ApiRequest {
  /** Path below the root of the service: `/v1/units`. */
  readonly path: string;
  readonly query?: Query;
  /** JSON body; the request is then a POST unless `method` says otherwise. */
  readonly body?: unknown;
  /** What the answer is, where it is no JSON: its bytes are then the data. */
  readonly media?: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
}

/** Parameters; those that are null, undefined or an empty list are not sent. */
export type Query = Readonly<Record<string, QueryValue>>;

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

export const methodOf = ({ method, body }: ApiRequest): string => method ?? (body === undefined ? 'GET' : 'POST');

/** Path and query as they are sent, from the slash at the root of the service. */
export function addressOf({ path, query = {} }: ApiRequest): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    if (typeof value !== 'object') search.set(name, String(value));
    else if (REPEATED.has(name)) for (const one of value) search.append(name, one);
    else if (value.length > 0) search.set(name, listText(value));
  }
  // Commas and colons are legal in a query, and are easier to read as they are.
  const text = search.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text === '' ? path : `${path}?${text}`;
}

/** A comma is part of their values, so each of several comes with the name again. */
const REPEATED: ReadonlySet<string> = new Set(['region']);

/** A value of a list; the interface reads lists as a line of CSV. */
const listItem = (value: string): string => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** The values of a list, as `listItem` writes them; what is no such list counts as one value. */
export function listItems(text: string): readonly string[] {
  const items = text.match(/"(?:[^"]|"")*"(?=,|$)|[^,]+/g) ?? [];
  return items.map((item) => (item.startsWith('"') ? item.slice(1, -1).replaceAll('""', '"') : item));
}

export const listText = (items: readonly string[]): string => items.map(listItem).join(',');
