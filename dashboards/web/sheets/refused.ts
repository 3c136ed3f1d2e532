import { say } from '../format/language.ts';
import { count } from '../format/numbers.ts';

export const MOST_FILE_BYTES = 5_000_000;
export const MOST_ROWS = 10_000;
export const MOST_COLUMNS = 60;

const WORDS = {
  large: say(
    `Die Datei ist zu groß: Sie darf 5 MB haben, ${count(MOST_ROWS)} Zeilen und ${MOST_COLUMNS} Spalten, auch ausgepackt. In Teilen geht es.`,
    `The file is too large: it may have 5 MB, ${count(MOST_ROWS)} rows and ${MOST_COLUMNS} columns, also unpacked. Split it.`,
  ),
  damaged: say(
    'Die Datei lässt sich nicht lesen. Sie muss eine Tabelle als .xlsx oder .csv sein.',
    'The file cannot be read. It has to be a table, as .xlsx or .csv.',
  ),
  empty: say('Die Datei ist leer.', 'The file is empty.'),
};

/** A file that is not taken; `message` says why in the language of the pages. */
export class SheetRefused extends Error {
  constructor(why: keyof typeof WORDS) {
    super(WORDS[why]);
  }
}
