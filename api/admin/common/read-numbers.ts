import { z } from 'zod';
import { refused, usageError } from '../../../runtime/command-line/exit.ts';
import { fileOption, rest } from '../../../runtime/command-line/parameter.ts';
import { isMastrNumber } from '../../../sql/register/mastr-number.ts';

/** Faults that a message names; it counts the others. */
const MOST_NAMED = 20;

/** MaStR numbers of units as a command takes them. */
export const numberParameters = {
  numbers: rest('MaStR numbers of units', z.array(z.string()).optional().default([])),
  file: fileOption('a file of MaStR numbers, one on a line; - reads standard input'),
};

/**
 * Reads MaStR numbers from arguments and from the content of a file, where blanks, line breaks, commas and semicolons
 * separate them. Each is returned once.
 * @throws CommandFailed listing faulty ones with their place, or when there is none at all
 */
export function readNumbers({ numbers: typed, file: text }: Readonly<Record<string, unknown>>): string[] {
  const [given, file] = [(typed ?? []) as readonly string[], (text ?? '') as string];
  const faults = given.filter((text) => !isMastrNumber(text)).map((text) => JSON.stringify(text));
  const inFile: string[] = [];
  for (const [index, line] of file
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
