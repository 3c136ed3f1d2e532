import { kindNow } from '../../sql/register/fields.ts';
import { DocumentError } from './document-error.ts';
import type { ScannedRecord } from './handler.ts';
import type { Name } from './names.ts';
import { wrapperOf } from './record-boundaries.ts';
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
  /** Tags that the first record held instead of elements of its kind. */
  #foreign = '';
  #broken = 0;
  /** A record held an element of the kind, or none is expected: there is nothing left to ask of records. */
  recognised: boolean;

  constructor(kind: string | null) {
    this.#kind = kind;
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
    const wrapper = this.#kind === null ? null : wrapperOf(text, recordName);
    if (wrapper === null) return;
    throw new DocumentError(
      `its records lie one level too deep: ${shownTag(recordName)} inside of ${shownTag(wrapper)}`,
    );
  }

  /** @param number of the record that is broken */
  broken(number: number, reason: string): void {
    if (++this.#broken <= MAX_BROKEN || this.#broken * 2 <= number) return;
    throw new DocumentError(`${this.#broken} of its first ${number} records are broken, the last one: ${reason}`);
  }

  /** @param number of the last record */
  end(number: number): void {
    if (!this.recognised && this.#foreign !== '') this.#refuseRecords(number);
  }

  #refuseRecords(number: number): void {
    const records = number === 1 ? 'its only record holds' : `its first ${number} records hold`;
    throw new DocumentError(`${records} no element of ${this.#kind}, but ${this.#foreign}`);
  }
}
