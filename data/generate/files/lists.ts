/** Catalogue and the small system lists. */
import { readTable } from '../world/csv.ts';
import { escapeText } from '../world/text.ts';

/** Lists with files of their own; all other categories are catalogue categories. */
const SYSTEM_LISTS = ['Einheitentypen', 'Lokationstypen', 'Marktfunktionen', 'Marktrollen'] as const;
export type SystemList = (typeof SYSTEM_LISTS)[number];

const ROWS = readTable('catalogue.csv').map(([category = '', id = '', label = '']) => ({
  category,
  id: Number(id),
  label,
}));
const isSystem = (category: string): boolean => SYSTEM_LISTS.some((list) => list === category);
const VALUES = ROWS.filter(({ category }) => !isSystem(category)).sort((a, b) => a.id - b.id);
/** Categories by name; their ids count from 1 in this order. */
const CATEGORIES = [...new Set(VALUES.map(({ category }) => category))].sort((a, b) => (a < b ? -1 : 1));

export const categoryRecords = (): string[] =>
  CATEGORIES.map((name, i) => `<Id>${i + 1}</Id><Name>${escapeText(name)}</Name>`);

export const valueRecords = (): string[] =>
  VALUES.map(
    ({ category, id, label }) =>
      `<Id>${id}</Id><Wert>${escapeText(label)}</Wert><KatalogKategorieId>${CATEGORIES.indexOf(category) + 1}</KatalogKategorieId>`,
  );

export const systemRecords = (list: SystemList): string[] =>
  ROWS.filter(({ category }) => category === list).map(
    ({ id, label }) => `<Id>${id}</Id><Wert>${escapeText(label)}</Wert>`,
  );
