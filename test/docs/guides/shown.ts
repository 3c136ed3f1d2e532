/**
 * Compares an answer that a page shows with the one received. Everything shown must be there and equal. `…` stands for
 * omitted members of an object, items of an array or a part of a text. `<name>` stands for a text that differs from run to
 * run; one name always stands for the same text on a page.
 */

/** Texts by the placeholders that stand for them, angle brackets included. */
export type Names = Map<string, string>;

const REST = '…';
const STANDS_FOR_MORE = /(<[a-z][a-z-]*>|…)/;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * @param shown status line, headers that matter, an empty line, the body as JSON or CSV
 * @param names the texts of the page's placeholders so far; new ones are added
 * @returns one readable line for each difference
 */
export function differencesOf(shown: string, seen: Answer, names: Names): string[] {
  const [head = '', ...body] = shown.split('\n\n');
  const [statusLine = '', ...headers] = head.split('\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  const faults = status === String(seen.status) ? [] : [`status: shown ${status}, is ${seen.status}`];
  for (const header of headers) {
    const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(header) ?? [];
    faults.push(...compare(value, seen.headers.get(name) ?? undefined, name, names));
  }
  const isEmpty = body.length === 0;
  if (isEmpty && seen.text !== '') faults.push('a body is not shown');
  const isCsv = seen.headers.get('content-type')?.startsWith('text/csv') === true;
  const text = body.join('\n\n');
  if (!isEmpty && isCsv) faults.push(...compare(text, seen.text.replaceAll('\r\n', '\n').trimEnd(), '', names));
  else if (!isEmpty) faults.push(...compare(readShown(text), JSON.parse(seen.text), '', names));
  return faults;
}

/** Parses JSON in which `…` becomes an item of its array, or a member named `…` of its object. */
function readShown(text: string): unknown {
  const open: string[] = [];
  const json = text.replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{}…]/g, (piece) => {
    if (piece === '[' || piece === '{') open.push(piece);
    if (piece === ']' || piece === '}') open.pop();
    if (piece !== REST) return piece;
    return open.at(-1) === '{' ? `"${REST}": null` : `"${REST}"`;
  });
  return JSON.parse(json);
}

function compare(shown: unknown, seen: unknown, path: string, names: Names): string[] {
  if (typeof shown === 'string' && typeof seen === 'string') return compareTexts(shown, seen, path, names);
  if (Array.isArray(shown) && Array.isArray(seen)) return compareItems(shown, seen, path, names);
  if (isObject(shown) && isObject(seen)) return compareMembers(shown, seen, path, names);
  return Object.is(shown, seen) ? [] : [`${path}: shown ${inWords(shown)}, is ${inWords(seen)}`];
}

const inWords = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function compareTexts(shown: string, seen: string, path: string, names: Names): string[] {
  // Every second piece is a placeholder or `…`.
  const pieces = shown.split(STANDS_FOR_MORE);
  const pattern = pieces.map((piece, place) => (place % 2 === 0 ? escaped(piece) : '(.+)')).join('');
  const [whole, ...texts] = new RegExp(`^${pattern}$`, 's').exec(seen) ?? [];
  if (whole === undefined) return [`${path}: shown ${inWords(shown)}, is ${inWords(seen)}`];
  return texts.flatMap((text, place) => {
    const name = pieces[2 * place + 1]!;
    if (name === REST) return [];
    const before = names.get(name) ?? text;
    names.set(name, text);
    return text === before ? [] : [`${path}: ${name} is ${before} elsewhere, and ${text} here`];
  });
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function compareItems(shown: readonly unknown[], seen: readonly unknown[], path: string, names: Names): string[] {
  let at = 0;
  let skips = false;
  for (const item of shown) {
    if (item === REST) {
      skips = true;
      at += 1;
      continue;
    }
    const next = skips ? seen.findIndex((value, place) => place >= at && agrees(item, value, names)) : at;
    if (next < 0) return [`${path}: nothing like ${JSON.stringify(item)}`];
    const faults = compare(item, seen[next], `${path}/${next}`, names);
    if (faults.length > 0) return faults;
    at = next + 1;
    skips = false;
  }
  const fits = skips ? at <= seen.length : at === seen.length;
  return fits ? [] : [`${path}: has ${seen.length} items, shown are ${shown.length}`];
}

const agrees = (shown: unknown, seen: unknown, names: Names): boolean =>
  compare(shown, seen, '', new Map(names)).length === 0;

function compareMembers(
  { [REST]: rest, ...shown }: Readonly<Record<string, unknown>>,
  seen: Readonly<Record<string, unknown>>,
  path: string,
  names: Names,
): string[] {
  const leftOut = Object.keys(seen).filter((name) => !(name in shown));
  const faults = Object.entries(shown).flatMap(([name, value]) => compare(value, seen[name], `${path}/${name}`, names));
  if (rest === undefined && leftOut.length > 0) faults.push(`${path}: not shown are ${leftOut.join(', ')}`);
  if (rest !== undefined && leftOut.length === 0) faults.push(`${path}: nothing is left out`);
  return faults;
}
