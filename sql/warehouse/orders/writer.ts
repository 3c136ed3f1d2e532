import { createCheckedFile } from '../checked-file.ts';
import { MAGIC, type OrderedField, type OrdersHeader, RECORD_BYTES } from './layout.ts';

export interface OrdersWriter {
  /** Begins the order by a field; the one before it ends. */
  begin(field: OrderedField): void;
  /** Adds the next unit of the order. @param value null = the unit has none; such units come last */
  add(digits: number, kind: number, value: number | null): void;
  /** Writes the kinds of the units by number and the rest, and closes the file durably. */
  finish(kindsByNumber: Uint16Array, header: OrdersHeader): void;
  /** Closes a file that will not be finished. */
  abort(): void;
}

/** Records that are written at once. */
const PIECE = 4096;

/** Writes the orders of units (layout.ts). */
export function createOrders(path: string): OrdersWriter {
  const file = createCheckedFile(path, MAGIC);
  const piece = new Uint8Array(PIECE * RECORD_BYTES);
  let filled = 0;
  let field: OrderedField | null = null;
  let keys: number[] = [];
  let starts: number[] = [];
  let units = 0;
  /** Value and digits of the unit that was added last. */
  let value: number | null = Number.NEGATIVE_INFINITY;
  let digits = -1;

  const writePiece = (): void => {
    file.write(piece.subarray(0, filled));
    filled = 0;
  };
  const end = (): void => {
    if (field === null) return;
    writePiece();
    if (starts.length === keys.length) starts.push(units);
    file.begin(`${field}.keys`);
    file.write(Float64Array.from(keys));
    file.begin(`${field}.starts`);
    file.write(Float64Array.from([...starts, units]));
    field = null;
  };

  /** Begins the units of a value. */
  const beginValue = (next: number | null): void => {
    if (value === null || (next !== null && next < value)) {
      throw new Error(`The value ${next} is not in the order by ${field}`);
    }
    if (next !== null) keys.push(next);
    starts.push(units);
    value = next;
    digits = -1;
  };

  return {
    begin(next) {
      end();
      file.begin(`${next}.units`);
      field = next;
      [keys, starts, units] = [[], [], 0];
      [value, digits] = [Number.NEGATIVE_INFINITY, -1];
    },
    add(nextDigits, kind, nextValue) {
      if (nextValue !== value) beginValue(nextValue);
      if (nextDigits <= digits) throw new Error(`The unit ${nextDigits} is not in the order of numbers`);
      digits = nextDigits;
      units++;
      const low = digits >>> 0;
      piece[filled++] = low;
      piece[filled++] = low >>> 8;
      piece[filled++] = low >>> 16;
      piece[filled++] = low >>> 24;
      piece[filled++] = (digits - low) / 2 ** 32;
      piece[filled++] = kind;
      piece[filled++] = kind >>> 8;
      if (filled === piece.length) writePiece();
    },
    finish(kindsByNumber, header) {
      end();
      file.begin('number.kinds');
      file.write(kindsByNumber);
      file.finish(header);
    },
    abort: file.abort,
  };
}
