import { createCheckedFile } from '../checked-file.ts';
import { MAGIC, type NameTable, type SearchHeader } from './layout.ts';
import { mergedLists, type UnitsSince } from './merge-lists.ts';
import { listWriter } from './write-lists.ts';
import { labelIndex, type NameWriter, nameWriter } from './write-names.ts';
import { dictionary } from './write-words.ts';

/** Writes the search index of a version. */
export interface SearchWriter {
  /** Begins a folded text of the filter suche; a text may come more than once. */
  beginText(text: string): void;
  /** Adds a unit that has the text begun last. @param place in the order of the units' numbers */
  addUnit(place: number): void;
  /** Begins the names of a table. Each table is begun once, and has all its names before the next one. */
  beginNames(table: NameTable): Pick<NameWriter, 'add'>;
  /** Writes what is left, and closes the file durably. */
  finish(actorsWithUnits: number): void;
  /** Closes a file that will not be finished. */
  abort(): void;
}

/**
 * @param path of the file; beside it a file of runs exists while the index is written
 * @param units of the version
 * @param pairsAtOnce see write-lists.ts
 * @param since where it is written from an earlier index: then only texts of the units that are gone there are added
 */
export function createSearchIndex(
  path: string,
  units: number,
  { pairsAtOnce, since }: { readonly pairsAtOnce?: number; readonly since?: UnitsSince } = {},
): SearchWriter {
  const words = dictionary();
  const lists =
    since === undefined ? listWriter(`${path}.runs`, units, words, pairsAtOnce) : mergedLists(since, units, words);
  const file = createCheckedFile(path, MAGIC);
  const labels = { states: labelIndex(), carriers: labelIndex() };
  const tables: NameWriter[] = [];
  return {
    beginText: lists.beginText,
    addUnit: lists.addUnit,
    beginNames(table) {
      const names = nameWriter(file, table, words, labels);
      tables.push(names);
      return names;
    },
    finish(actorsWithUnits) {
      for (const names of tables) names.write();
      lists.write(file);
      lists.close();
      words.write(file);
      const header = { units, states: labels.states.all(), carriers: labels.carriers.all(), actorsWithUnits };
      file.finish(header satisfies SearchHeader);
    },
    abort() {
      lists.close();
      file.abort();
    },
  };
}
