import { ESCAPE, fieldIndex, GROUP_SEPARATOR, type RowFields, UNIT_SEPARATOR, unescaped } from './layout.ts';

/** Takes rows apart. */

/** The texts of a unit's columns by name. Columns without a value are absent. */
export type UnitTexts = ReadonlyMap<string, string>;

/** Takes the texts of some columns from a row. */
type RowParser = (row: string) => UnitTexts;

/**
 * Takes apart rows in which every value has a code: those of ClickHouse, and of row files of earlier releases.
 * @param fields names by code; null for a field that is skipped
 */
export function textsOf(row: string, fields: readonly (string | null)[]): UnitTexts {
  const values = new Map<string, string>();
  takeCoded(row, 0, fields, textIn(row), values);
  return values;
}

/** Takes apart rows of the row file. @param columns taken from each row */
export function rowParser({ fields, placed }: RowFields, columns: ReadonlySet<string>): RowParser {
  const wanted = (names: readonly string[]) => names.map((name) => (columns.has(name) ? name : null));
  const coded = wanted(fields);
  if (placed.length === 0) return (row) => textsOf(row, coded);
  const places = wanted(placed);
  /** Places behind the last one that is wanted are not looked at. */
  const end = places.findLastIndex((name) => name !== null) + 1;
  const number = columns.has('mastrNummer');
  return (row) => {
    const values = new Map<string, string>();
    const text = textIn(row);
    const afterNumber = row.indexOf(UNIT_SEPARATOR);
    if (number) values.set('mastrNummer', row.slice(0, afterNumber));
    let at = takeCoded(row, afterNumber + 1, coded, text, values);
    for (let place = 0; place < end; place++) {
      const next = endOfText(row, at);
      const name = places[place];
      if (name !== null && name !== undefined && next > at) values.set(name, text(at, next));
      at = next + 1;
    }
    return values;
  };
}

/** Takes the values that have codes. @returns where the text after them begins, which is behind an empty one */
function takeCoded(
  row: string,
  begin: number,
  fields: readonly (string | null)[],
  text: (from: number, to: number) => string,
  values: Map<string, string>,
): number {
  let at = begin;
  while (at < row.length) {
    const next = endOfText(row, at);
    if (next === at) break;
    const name = fields[fieldIndex(row.charCodeAt(at))];
    if (name !== null && name !== undefined) values.set(name, text(at + 1, next));
    at = next + 1;
  }
  return at + 1;
}

function endOfText(row: string, at: number): number {
  const end = row.indexOf(UNIT_SEPARATOR, at);
  return end < 0 ? row.length : end;
}

/** Reads from a row, of which hardly any has escapes. */
function textIn(row: string): (from: number, to: number) => string {
  if (row.includes(ESCAPE)) return (from, to) => unescaped(row.slice(from, to));
  return (from, to) => row.slice(from, to);
}

/** Splits a list of a row into its items. */
export function itemsOf(list: string): string[] {
  const items = list.split(GROUP_SEPARATOR);
  return list.includes(ESCAPE) ? items.map(unescaped) : items;
}
