import { int32At } from '../scan/typed-arrays.ts';
import type { ValueSource } from './chunk.ts';

/** The origin of a staged row, as its first columns: index of the member, number of the record in it, and kind of file. */
export const ORIGIN_COLUMNS = [
  { name: '_datei', type: 'int32' },
  { name: '_zeile', type: 'int32' },
  { name: '_art', type: 'text' },
] as const;

/**
 * The values of these columns.
 * @param records numbers of the records, by row
 */
export const originOf = (member: number, records: Int32Array, kind: string): readonly ValueSource[] => [
  {
    appendTo(chunk, rows) {
      chunk.addPresentRows(rows.length);
      const at = chunk.values.add(rows.length * 4) >>> 2;
      chunk.values.int32s.fill(member, at, at + rows.length);
    },
  },
  {
    appendTo(chunk, rows) {
      chunk.addPresentRows(rows.length);
      const to = chunk.values.add(rows.length * 4) >>> 2;
      const { int32s } = chunk.values;
      for (let at = 0; at < rows.length; at++) int32s[to + at] = int32At(records, int32At(rows, at));
    },
  },
  {
    appendTo(chunk, rows) {
      chunk.addPresentRows(rows.length);
      const at = chunk.values.add(rows.length * 2) >>> 1;
      chunk.values.uint16s.fill(chunk.indexOf(kind), at, at + rows.length);
    },
  },
];
