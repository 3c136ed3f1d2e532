import { itemAt } from '../../../runtime/present.ts';
import { type CheckedFile, openCheckedFile } from '../checked-file.ts';
import { Damaged, VERSION_REMEDY } from '../damage.ts';
import { MAGIC, type SearchHeader } from './layout.ts';
import { addList } from './lists.ts';
import { type Names, openNames } from './names.ts';
import { turns } from './turns.ts';
import { addAll, type Bits, noBits } from './unit-set.ts';
import { openWords } from './words.ts';

/**
 * The search index of a version, opened. Words, the names of each word and the labels of names are kept in memory: some 40
 * bytes for each word that occurs, and 20 for each name. Lists of units and what answers show stay on the disk.
 */
export interface SearchIndex {
  /** Units of the version. */
  readonly units: number;
  /**
   * Returns the places of the units that have a word in one of the texts of the filter suche, as a new set.
   * @param word folded, without blanks, not empty
   */
  unitsWith(word: string): Promise<Bits>;
  /** Names of units. */
  readonly unitNames: Names;
  /** Names of market actors. */
  readonly actors: Names;
  /** Reads every block. @returns a message for each that differs from what was written */
  damagedBlocks(): Generator<string>;
  close(): void;
}

/**
 * @param units of the version
 * @throws Damaged when the file is no complete search index of so many units
 */
export function openSearchIndex(path: string, units: number): SearchIndex {
  const file = openCheckedFile(path, MAGIC);
  try {
    const header = file.about as SearchHeader;
    if (header.units !== units) throw new Error(`it has ${header.units} units, and the row file ${units}`);
    return openSections(file, header);
  } catch (error) {
    file.close();
    throw error instanceof Damaged ? error : new Damaged(path, messageOf(error), VERSION_REMEDY, error);
  }
}

function openSections(file: CheckedFile, header: SearchHeader): SearchIndex {
  const { units } = header;
  const words = openWords(file);
  const starts = file.numbers('lists.starts', Float64Array);
  const setBytes = noBits(units).byteLength;

  const addUnits = (bits: Bits, word: number): void => {
    const [from, to] = [itemAt(starts, word), itemAt(starts, word + 1)];
    const list = file.read('lists.bytes', from, to - from);
    if (list.length < setBytes) addList(bits, list);
    else addAll(bits, new Uint32Array(list.slice().buffer));
  };

  return {
    units,
    async unitsWith(word) {
      const turn = turns();
      const bits = noBits(units);
      for (const one of words.containing(Buffer.from(word))) {
        addUnits(bits, one);
        const pause = turn();
        if (pause !== null) await pause;
      }
      return bits;
    },
    unitNames: openNames(file, 'units', words, header),
    actors: openNames(file, 'actors', words, header, header.actorsWithUnits),
    damagedBlocks: file.damagedBlocks,
    close: file.close,
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
