import { foldPlace } from '../../sql/tenders/parcels.ts';

/** Words with which the names of many places begin, so that they alone do not say which place it is. */
const COMMON = new Set([
  'bad',
  'markt',
  'sankt',
  'st',
  'stadt',
  'groß',
  'gross',
  'klein',
  'neu',
  'alt',
  'hohen',
  'am',
  'im',
]);

/**
 * Tells whether a town may be the municipality of this name, as people write both: "Neustadt/Weinstr." is "Neustadt an der Weinstraße",
 * but "Bad Tölz" is not "Bad Heilbrunn". What follows the first word that tells places apart does not count.
 */
export function isSamePlace(town: string, name: string): boolean {
  const telling = tellingWords(town);
  return telling !== '' && telling === tellingWords(name);
}

function tellingWords(name: string): string {
  const words = name.toLowerCase().match(/\p{L}+/gu) ?? [];
  const first = words.findIndex((word) => !COMMON.has(word));
  return foldPlace(words.slice(0, first < 0 ? words.length : first + 1).join(' '));
}
