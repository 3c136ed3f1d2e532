/**
 * Splits a list parameter at its commas. An item that holds a comma is quoted as in CSV, a quote inside it doubled:
 * `"Abfall, fest",Erdgas`. A blank is part of its item, as it is in the array of a body.
 * @returns the items, or a sentence that says what is wrong
 */
export function splitList(text: string): readonly string[] | { readonly fault: string } {
  const items: string[] = [];
  let rest = text;
  while (true) {
    const match = ITEM.exec(rest);
    if (match === null) return { fault: 'has a quote that is not closed, or text beside a quoted value' };
    const item = match[1]?.replaceAll('""', '"') ?? match[2] ?? '';
    if (item === '') return { fault: 'has an empty value' };
    items.push(item);
    rest = rest.slice(match[0].length);
    if (rest === '') return items;
    rest = rest.slice(1);
  }
}

/** A quoted or a plain item, up to the next comma or the end. A blank before a quote is taken for a mistake. */
const ITEM = /^(?:"((?:[^"]|"")*)"|(?!\s*")([^,]*))(?=,|$)/;

/** Writes a list parameter, as `splitList` reads it: an item with a comma or a quote is quoted. */
export const joinList = (items: readonly string[]): string => items.map(quotedItem).join(',');

const quotedItem = (item: string): string => (/[",]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item);
