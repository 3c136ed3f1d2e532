import { nextRecordBoundary, type RecordBoundary } from './record-boundaries.ts';
import { textOf } from './text.ts';

/** Code units of a broken record that the handler is given. */
export const BROKEN_SHOWN = 400;

/** A broken record that is passed over up to the next landmark, however far that is. */
export class BrokenRecord {
  readonly reason: string;
  readonly #record: Uint16Array;
  #text: string;

  /**
   * @param record name by which other records are found
   * @param text its beginning
   */
  constructor(reason: string, record: Uint16Array, text: string) {
    this.reason = reason;
    this.#record = record;
    this.#text = text;
  }

  /** The beginning of it. */
  get text(): string {
    return this.#text;
  }

  /** Looks for its end in `units[from, length)`. */
  passOver(units: Uint16Array, from: number, length: number, root: Uint16Array, ended: boolean): RecordBoundary {
    const landmark = nextRecordBoundary(units, from, length, this.#record, root, ended);
    const shown = Math.min(landmark.at, from + BROKEN_SHOWN - this.#text.length);
    if (shown > from) this.#text += textOf(units, from, shown);
    return landmark;
  }
}
