import { openCheckedFile } from '../checked-file.ts';
import { type Kind, MAGIC, type OrderedField, type OrdersHeader, RECORD_BYTES } from './layout.ts';

/** The orders of a version, read from their beginning to their end, to write those of the next one. */
export interface EarlierOrders {
  readonly kinds: readonly Kind[];
  /** Hands out all units in their order by a field. @param take gets a kind by its index, and null where a unit has no value */
  read(field: OrderedField, take: (digits: number, kind: number, value: number | null) => void): void;
  /** The kind of each unit in the order of numbers. */
  kindsByNumber(): Uint16Array;
  close(): void;
}

/** Records that are read at once. */
const PIECE = 4096;

/** @returns null where the file has no orders @throws Damaged */
export function openEarlierOrders(path: string): EarlierOrders | null {
  const file = openCheckedFile(path, MAGIC);
  const { units, kinds, isComplete } = file.about as OrdersHeader;
  if (!isComplete) {
    file.close();
    return null;
  }
  return {
    kinds,
    read(field, take) {
      const [keys, starts] = [
        file.numbers(`${field}.keys`, Float64Array),
        file.numbers(`${field}.starts`, Float64Array),
      ];
      let key = -1;
      for (let from = 0; from < units; from += PIECE) {
        const count = Math.min(PIECE, units - from);
        const bytes = file.read(`${field}.units`, from * RECORD_BYTES, count * RECORD_BYTES);
        const records = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        for (let row = 0; row < count; row++) {
          while ((starts[key + 1] ?? units) <= from + row) key++;
          const at = row * RECORD_BYTES;
          const digits = records.getUint32(at, true) + records.getUint8(at + 4) * 2 ** 32;
          take(digits, records.getUint16(at + 5, true), keys[key] ?? null);
        }
      }
    },
    kindsByNumber: () => file.numbers('number.kinds', Uint16Array),
    close: file.close,
  };
}
