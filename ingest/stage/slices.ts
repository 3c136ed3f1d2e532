import type { NumberRange } from '../../sql/register/mastr-number.ts';

/**
 * Units are joined slice by slice, so that the size of a slice bounds the memory, not that of the register. A slice is a
 * range of MaStR numbers, which the register assigns evenly between 900000000000 and 999999999999.
 */

const FIRST = 900_000_000_000;
const SPAN = 100_000_000_000;
const MAX_VALUE = 999_999_999_999;

/** The bits of a MaStR number below its three letters. */
const DIGITS_MASK = 2 ** 40 - 1;

/** Unpacked bytes of unit files per slice: some 200,000 units, which need about 450 MB while they are joined. */
const BYTES_PER_SLICE = 750_000_000;

/** The number of slices for unit files of this many unpacked bytes. */
export const sliceCount = (bytes: number): number => Math.max(1, Math.ceil(bytes / BYTES_PER_SLICE));

/** The slice of a unit by the twelve digits of its number. */
export function sliceOf(digits: number, slices: number): number {
  const slice = Math.floor(((digits - FIRST) / SPAN) * slices);
  return Math.max(0, Math.min(slices - 1, slice));
}

/** The same as SQL, over a MaStR number as 64 bits: arithmetic of doubles, so both agree on every number. */
export const duckdbSliceOf = (bits: string, slices: number): string =>
  `greatest(0, least(${slices - 1}, floor((((${bits}) & ${DIGITS_MASK})::DOUBLE - ${FIRST}) / ${SPAN} * ${slices})))::INTEGER`;

/** The ranges of all slices, which together cover every possible number. */
export function sliceRanges(slices: number): NumberRange[] {
  const starts = Array.from({ length: slices }, (_, slice) => (slice === 0 ? 0 : firstOf(slice, slices)));
  return starts.map((from, slice) => ({ from, to: (starts[slice + 1] ?? MAX_VALUE + 1) - 1 }));
}

/** The smallest number that `sliceOf` puts in the slice. */
function firstOf(slice: number, slices: number): number {
  let digits = Math.ceil(FIRST + (SPAN * slice) / slices);
  while (sliceOf(digits, slices) < slice) digits++;
  while (sliceOf(digits - 1, slices) >= slice) digits--;
  return digits;
}
