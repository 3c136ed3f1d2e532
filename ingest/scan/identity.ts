import { fieldsOf, kindNow } from '../../sql/register/fields.ts';
import { DocumentError } from './document-error.ts';
import type { ScannedRecord } from './handler.ts';
import type { Name } from './names.ts';
import { type Wrapper, wrapperOf } from './record-boundaries.ts';
import { shownTag } from './shown-tag.ts';

/** Records among which one has to hold an element that its kind of file has. */
const RECOGNISED_WITHIN = 100;

/** So many broken records, and more than half of all: the file is damaged, not its records. */
const MAX_BROKEN = 1000;

/**
 * Holds a member to what its name says it is: by its root, by the elements of its first records, by how many records are
 * broken. All methods throw a DocumentError when it is something else.
 */
export class Identity {
  /** Kind of file; null for one that is not known, of which nothing is expected. */
  readonly #kind: string | null;
  readonly #elements: ReadonlySet<string>;
  /** Name of its records in the field table; empty for a kind that is not known. */
  readonly recordName: string;
  /** What may be an element around all records, with their name: a stray tag before the first one looks alike up to its end. */
  #wrapper: Wrapper | null = null;
  /** Number of the last record before its end; -1 when that has not come. */
  #wrapperEnd = -1;
  /** Tags that the first record held instead of elements of its kind. */
  #foreign = '';
  #broken = 0;
  /** A record held an element of the kind, or none is expected: there is nothing left to ask of records. */
  recognised: boolean;

  constructor(kind: string | null) {
    this.#kind = kind;
    const fields = kind === null ? [] : fieldsOf(kind);
    this.#elements = new Set(fields.map(({ field }) => field));
    this.recordName = fields[0]?.record ?? '';
    this.recognised = kind === null;
  }

  root(name: string): void {
    if (this.#kind === null || kindNow(name) === this.#kind) return;
    throw new DocumentError(`it holds ${shownTag(name)} where <${this.#kind}> belongs`);
  }

  /** @param unknown its elements that the field table does not know */
  record({ seen, stamp, number }: ScannedRecord, unknown: readonly (readonly [Name, ...unknown[]])[]): void {
    this.recognised = seen.includes(stamp);
    if (this.recognised) return;
    const names = new Set(unknown.map(([name]) => name.text));
    this.#foreign ||= [...names].slice(0, 3).map(shownTag).join(', ') || 'nothing at all';
    if (number >= RECOGNISED_WITHIN) this.#refuseRecords(number);
  }

  /** @param text what begins with the first record, when that is damaged or not flat */
  beginning(text: string, recordName: string): void {
    const wrapper = wrapperOf(text, recordName);
    // Elements that nest in a damaged record are no records.
    if (recordName === this.recordName || this.#elements.has(wrapper?.field ?? '')) this.#wrapper = wrapper;
  }

  /**
   * @param name of an element that ends without having begun, as far as records go
   * @param number of the record before
   */
  ended(name: string, number: number): void {
    if (this.#wrapper?.outer === name) this.#wrapperEnd = number;
  }

  /** @param number of the record that is broken */
  broken(number: number, reason: string): void {
    if (++this.#broken <= MAX_BROKEN || this.#broken * 2 <= number) return;
    throw new DocumentError(`${this.#broken} of its first ${number} records are broken, the last one: ${reason}`);
  }

  /** @param number of the last record */
  end(number: number): void {
    if (this.#wrapper !== null && this.#wrapperEnd === number) {
      const { outer, inner } = this.#wrapper;
      throw new DocumentError(`its records lie one level too deep: ${shownTag(inner)} inside of ${shownTag(outer)}`);
    }
    if (!this.recognised && this.#foreign !== '') this.#refuseRecords(number);
  }

  #refuseRecords(number: number): void {
    const records = number === 1 ? 'its only record holds' : `its first ${number} records hold`;
    throw new DocumentError(`${records} no element of ${this.#kind}, but ${this.#foreign}`);
  }
}
