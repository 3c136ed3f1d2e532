/**
 * The search index of a version: it answers GET /v1/search and the filter suche without a statement. It is a checked file
 * (../checked-file.ts) of these sections.
 *
 *     words.bytes, words.starts        every distinct word of the texts, as UTF-8, one after the other
 *     grams.keys, grams.starts         every three bytes in a row that occur in a word followed by two zeros,
 *     grams.words                      ascending, and the words that have them
 *     lists.bytes, lists.starts        per word: the places of the units that have it, as a list of runs (lists.ts), or as
 *                                      a set (unit-set.ts) when that is no longer
 *
 * and, each under `units.` for names of units and `actors.` for market actors, in the order in which equally good matches
 * are shown:
 *
 *     states, carriers                 what restricts a search: indexes into the texts of the header, 0 = none
 *     first.starts, first.names        per word: the names that begin with it,
 *     later.starts, later.names        and those that have it at another place
 *     words.starts, words              per name: its words, in order
 *     records.starts, records          per name: what an answer shows
 *
 * A place of a unit is its place in the row file, which is in the order of numbers. Words are what blanks separate in a folded
 * text, so a word to search for lies within one of them; so do the parts of a text to search for, one in each of adjacent
 * ones.
 */

export const MAGIC = 'searchi1';

export interface SearchHeader {
  /** Units of the version. */
  readonly units: number;
  readonly states: readonly string[];
  readonly carriers: readonly string[];
  /** Market actors with units; the others come after them. */
  readonly actorsWithUnits: number;
}

/** The tables of names. */
export type NameTable = 'units' | 'actors';

/**
 * Records are texts. That of a market actor has its columns, separated by US, with MISSING for null; that of a name of units has
 * the largest of them, separated by RS: the digits of each, US, and its capacity in kW, or the digits alone.
 */
export const RECORD_SEPARATOR = '\u001e';
export const UNIT_SEPARATOR = '\u001f';
export const MISSING = '\u001a';
