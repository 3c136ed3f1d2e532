import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import { isMastrNumber } from '../../../sql/register/mastr-number.ts';

/** Numbers that a message names; it counts the others. */
const MOST_NAMED = 20;

/** Lists the first numbers, and says how many follow. */
export const listed = (numbers: readonly string[]): string =>
  numbers.slice(0, MOST_NAMED).join(', ') +
  (numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : '');

/**
 * Reads MaStR numbers from arguments and from the content of a file, where blanks, line breaks, commas and semicolons
 * separate them. Each is returned once.
 * @throws CommandFailed listing faulty ones with their place, or when there is none at all
 */
export function readNumbers(given: readonly string[], file: string | undefined): string[] {
  const faults = given.filter((text) => !isMastrNumber(text)).map((text) => JSON.stringify(text));
  const inFile: string[] = [];
  for (const [index, line] of (file ?? '')
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    for (const text of line.split(/[\s,;]+/).filter((piece) => piece !== '')) {
      if (isMastrNumber(text)) inFile.push(text);
      else faults.push(`line ${index + 1} of the file: ${JSON.stringify(text.slice(0, 40))}`);
    }
  }
  if (faults.length > 0) {
    const more = faults.length > MOST_NAMED ? [`… and ${faults.length - MOST_NAMED} more`] : [];
    throw refused(
      [
        'Nothing was changed. These are no MaStR numbers, three capital letters and twelve digits:',
        ...[...faults.slice(0, MOST_NAMED), ...more].map((fault) => `  ${fault}`),
      ].join('\n'),
    );
  }
  const numbers = [...new Set([...given, ...inFile])];
  if (numbers.length === 0) throw usageError('Name MaStR numbers of units, or a file of them with --file');
  return numbers;
}
