import { GREATER, LESS, SLASH, SPACE, unitAt } from './characters.ts';
import { DocumentError } from './document-error.ts';
import { textOf, unitsOf } from './text.ts';

/** Element names and their slots. */

export interface Name {
  readonly text: string;
  readonly units: Uint16Array;
  /** Slot in which the value of the element goes; -1 for names that the field table does not know. */
  readonly slot: number;
}

/** More different unknown names than any release ever added at once are the sign of a file that is none of ours. */
const MAX_UNKNOWN = 2000;

/** Code units: twice the longest of the field table. What is longer is no name. */
const MAX_NAME_LENGTH = 256;

export class NameTable {
  readonly #bySpelling = new Map<string, Name>();
  readonly #slotOf: ReadonlyMap<string, number>;
  #unknown = 0;

  /** @param slots element name to slot; names compare without regard to case, as the register's own texts mix it */
  constructor(slots: ReadonlyMap<string, number>) {
    this.#slotOf = new Map([...slots].map(([name, slot]) => [name.toLowerCase(), slot]));
  }

  /** The name that ends at the first `>`, `/` or white space from `start`; null when there is none before `end` or `<`. */
  lookUp(units: Uint16Array, start: number, end: number): Name | null {
    const last = Math.min(end, start + MAX_NAME_LENGTH);
    let at = start;
    while (at < last && !endsName(unitAt(units, at))) at++;
    if (at === last || at === start || units[at] === LESS) return null;
    return this.get(textOf(units, start, at));
  }

  get(text: string): Name {
    const known = this.#bySpelling.get(text);
    if (known !== undefined) return known;
    const slot = this.#slotOf.get(text.toLowerCase()) ?? -1;
    if (slot < 0 && ++this.#unknown > MAX_UNKNOWN) {
      throw new DocumentError(`it has more than ${MAX_UNKNOWN} unknown elements`);
    }
    const name: Name = { text, units: unitsOf(text), slot };
    this.#bySpelling.set(text, name);
    return name;
  }
}

const endsName = (unit: number): boolean => unit === GREATER || unit === SLASH || unit === LESS || unit <= SPACE;

/** Returns true when the code units at `at` are those of the name. */
export function matches(name: Uint16Array, units: Uint16Array, at: number): boolean {
  for (let index = 0; index < name.length; index++) if (units[at + index] !== name[index]) return false;
  return true;
}
