/** The part of a file that a request asks for (RFC 9110, 14). */

/** Both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Ranges of one request: more of them cost more than they can save (RFC 9110, 17.15). */
export const MAX_RANGES = 16;

/**
 * Reads the header `Range`. Ranges that overlap or touch become one.
 * @param bytes length of the file
 * @returns null where the whole file is the answer: without the header, in another unit, or not well-formed; `none` when
 * no range lies in the file, or when there are too many
 */
export function requestedRanges(header: string, bytes: number): readonly ByteRange[] | null | 'none' {
  const list = /^bytes=(.+)$/i.exec(header)?.[1]?.split(',');
  if (list === undefined) return null;
  if (list.length > MAX_RANGES) return 'none';
  const ranges: ByteRange[] = [];
  for (const text of list) {
    const range = rangeIn(text, bytes);
    if (range === null) return null;
    if (range.start <= range.end) ranges.push(range);
  }
  if (ranges.length === 0) return 'none';
  const joined = join(ranges);
  return joined.length === ranges.length ? ranges : joined;
}

/** Reads `0-3`, `96-` or `-4`. @returns an empty range for one outside of the file; null for another text */
function rangeIn(text: string, bytes: number): ByteRange | null {
  const [, first = '', last = ''] = /^[ \t]*([0-9]*)-([0-9]*)[ \t]*$/.exec(text) ?? [];
  if (first === '') return last === '' ? null : { start: Math.max(0, bytes - Number(last)), end: bytes - 1 };
  if (last !== '' && Number(last) < Number(first)) return null;
  return { start: Number(first), end: Math.min(last === '' ? bytes : Number(last), bytes - 1) };
}

/** Joins what overlaps or touches; the rest stays. */
function join(ranges: readonly ByteRange[]): ByteRange[] {
  const joined: ByteRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const before = joined.at(-1);
    if (before === undefined || range.start > before.end + 1) joined.push(range);
    else joined[joined.length - 1] = { start: before.start, end: Math.max(before.end, range.end) };
  }
  return joined;
}

export const contentRange = ({ start, end }: ByteRange, bytes: number): string => `bytes ${start}-${end}/${bytes}`;
