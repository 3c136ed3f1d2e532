import { ESCAPE, fieldIndex, GROUP_SEPARATOR, type RowFields, UNIT_SEPARATOR, unescaped } from './layout.ts';

/** Takes rows apart. */

/** The texts of a unit's columns by name. Columns without a value are absent. */
export interface UnitTexts extends Iterable<readonly [name: string, text: string]> {
  get(name: string): string | undefined;
}

/**
 * Takes apart a row in which every value has a code (coded.ts), as in ClickHouse and in row files of earlier releases. These have no
 * texts without characters, and no codes without a value.
 * @param fields names by code; null for a field that is skipped
 * @param values those of other rows of the unit, to which these are added
 */
export function textsOf(
  row: string,
  fields: readonly (string | null)[],
  values: Map<string, string> = new Map(),
): Map<string, string> {
  const escapes = row.includes(ESCAPE);
  for (let at = 0; at < row.length; ) {
    const end = row.indexOf(UNIT_SEPARATOR, at);
    const next = end < 0 ? row.length : end;
    const name = fields[fieldIndex(row.charCodeAt(at))];
    if (name !== null && name !== undefined && next > at + 1)
      values.set(name, escapes ? unescaped(row.slice(at + 1, next)) : row.slice(at + 1, next));
    at = next + 1;
  }
  return values;
}

/** Splits a list of a row into its items. */
export function itemsOf(list: string): string[] {
  const items = list.split(GROUP_SEPARATOR);
  return list.includes(ESCAPE) ? items.map(unescaped) : items;
}

/** Takes apart rows with places. All rows share what is known of the fields. */
export function placedRowParser({ fields, placed }: RowFields): (row: string) => UnitTexts {
  const places = new Map([
    ...fields.map((name, code) => [name, -1 - code] as const),
    ...placed.map((name, place) => [name, place] as const),
  ]);
  return (row) => new PlacedRow(row, places);
}

const NUMBER = 'mastrNummer';
const SEPARATOR = UNIT_SEPARATOR.charCodeAt(0);

/** A row is taken apart as far as it is asked for: the fields that lists show are among the first. */
class PlacedRow implements UnitTexts {
  readonly #row: string;
  /** By name: the place of the field, or -1 less its code. */
  readonly #places: ReadonlyMap<string, number>;
  readonly #hasEscapes: boolean;
  /** The beginnings of the values with codes, each with the character of its field. */
  readonly #coded: number[] = [];
  /** The beginnings of the values in places, as far as they are known. */
  readonly #placed: number[];
  /** The last of them. */
  #known: number;

  constructor(row: string, places: ReadonlyMap<string, number>) {
    this.#row = row;
    this.#places = places;
    this.#hasEscapes = row.includes(ESCAPE);
    let at = endOfText(row, 0) + 1;
    for (let end = endOfText(row, at); end > at; end = endOfText(row, at)) {
      this.#coded.push(at);
      at = end + 1;
    }
    this.#known = at + 1;
    this.#placed = [this.#known];
  }

  get(name: string): string | undefined {
    const place = this.#places.get(name);
    if (place !== undefined) return place < 0 ? this.#ofCode(-1 - place) : this.#inPlace(place);
    return name === NUMBER ? this.#row.slice(0, endOfText(this.#row, 0)) : undefined;
  }

  *[Symbol.iterator](): Generator<readonly [string, string]> {
    for (const name of [NUMBER, ...this.#places.keys()]) {
      const text = this.get(name);
      if (text !== undefined) yield [name, text];
    }
  }

  #ofCode(code: number): string | undefined {
    for (const at of this.#coded) {
      if (fieldIndex(this.#row.charCodeAt(at)) === code) return this.#text(at + 1, endOfText(this.#row, at));
    }
    return undefined;
  }

  #inPlace(place: number): string | undefined {
    const begins = this.#placed;
    while (begins.length <= place + 1) {
      this.#known = endOfText(this.#row, this.#known) + 1;
      begins.push(this.#known);
    }
    const [from = 0, next = 0] = [begins[place], begins[place + 1]];
    return next - 1 > from ? this.#text(from, next - 1) : undefined;
  }

  #text(from: number, to: number): string {
    const text = this.#row.slice(from, to);
    return this.#hasEscapes ? unescaped(text) : text;
  }
}

/** Texts are short: to look at each character is faster than a search. */
function endOfText(row: string, begin: number): number {
  let end = begin;
  while (end < row.length && row.charCodeAt(end) !== SEPARATOR) end++;
  return end;
}
