import { say } from '../../format/language.ts';
import { type Role, roleOf } from '../../units/roles.ts';

/** Numbers of units in a text that was copied from somewhere: a column, several columns of a spreadsheet or CSV file, a mail. */

export interface Pasted {
  /** Numbers of units, each once, in their order. */
  readonly numbers: readonly string[];
  /** Numbers that came again. */
  readonly repeated: readonly string[];
  /** Roles that stand in the row of a number; of one that came again, the first. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Texts that look like the number of a unit, or are one of something else. */
  readonly faulty: readonly { readonly text: string; readonly why: string }[];
}

/** Letters of the register and digits: twelve of them, or some with what people put between them: `see 900 123 456 789`. */
const CANDIDATE =
  /(?<![A-Za-z0-9])([A-Za-z]{3})[\s\-_.:]{0,2}(\d{12}|\d(?:[ \u00a0\u202f.-]?\d){5,17})(?![A-Za-z0-9])/g;
/** Twelve digits alone: a column whose letters were cut off. */
const BARE = /(?<![A-Za-z0-9])(9\d{11})(?!\d)/g;

const DIGITS = 12;

/** The meanings of the letters of other numbers of the register. */
const OTHERS: Readonly<Record<string, string>> = {
  EEG: say('Nummer einer EEG-Anlage', 'number of an EEG plant'),
  KWK: say('Nummer einer KWK-Anlage', 'number of a CHP plant'),
  ABR: say('Nummer eines Anlagenbetreibers', 'number of an operator of plants'),
  SNB: say('Nummer eines Netzbetreibers', 'number of a grid operator'),
  SEL: say('Nummer einer Lokation', 'number of a location'),
  SNE: say('Nummer eines Netzes', 'number of a grid'),
  SAN: say('Nummer eines Netzanschlusspunkts', 'number of a grid connection point'),
  SGE: say('Nummer einer Genehmigung', 'number of a permit'),
  GEE: say('Nummer einer Gaseinheit', 'number of a gas unit'),
  SVE: say('Nummer einer Verbrauchseinheit', 'number of a unit of consumption'),
  BEE: say('Nummer eines Bilanzkreises', 'number of a balancing group'),
};

export function readPasted(text: string): Pasted {
  const numbers = new Set<string>();
  const repeated = new Set<string>();
  const faulty = new Map<string, string>();
  const { roles, unknown } = rolesIn(text);
  for (const written of unknown)
    faulty.set(
      written,
      say('steht in der Spalte der Rollen, ist aber keine', 'stands in the column of roles, but is none'),
    );
  const rest = text.replaceAll(CANDIDATE, (whole, letters: string, written: string) => {
    const kind = letters.toUpperCase();
    const digits = written.replaceAll(/\D/g, '');
    const number = kind + digits;
    if (kind === 'SEE' && digits.length === DIGITS) {
      if (numbers.has(number)) repeated.add(number);
      numbers.add(number);
    } else if (kind === 'SEE') {
      faulty.set(
        whole.trim(),
        say(`hat ${digits.length} statt ${DIGITS} Ziffern`, `has ${digits.length} instead of ${DIGITS} digits`),
      );
    } else if (OTHERS[kind] !== undefined && digits.length === DIGITS) {
      faulty.set(number, say(`${OTHERS[kind]}, keiner Einheit`, `${OTHERS[kind]}, not of a unit`));
    }
    return ' ';
  });
  for (const [, digits = ''] of rest.matchAll(BARE))
    faulty.set(digits, say('ohne die Buchstaben SEE davor', 'without the letters SEE before it'));
  return {
    numbers: [...numbers],
    repeated: [...repeated],
    roles,
    faulty: [...faulty].map(([found, why]) => ({ text: found, why })),
  };
}

/** Heads of a column with roles. */
const ROLE_HEADS = /^(rolle|role|relationtype)( der organisation)?$/i;

/** Reads roles row by row: from the column that is headed so, or from a cell that is nothing but the name of one. */
function rolesIn(text: string): { readonly roles: ReadonlyMap<string, Role>; readonly unknown: ReadonlySet<string> } {
  const roles = new Map<string, Role>();
  const unknown = new Set<string>();
  let column: number | null = null;
  for (const line of text.split('\n')) {
    const cells = line.split(/[\t;]|,(?! )/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const head = cells.findIndex((cell) => ROLE_HEADS.test(cell));
    if (head >= 0) column = head;
    if (cells.length < 2 || head >= 0) continue;
    const numbers = [...line.matchAll(CANDIDATE)].map(([, letters = '', digits = '']) => {
      return letters.toUpperCase() + digits.replaceAll(/\D/g, '');
    });
    if (numbers.length === 0) continue;
    const written = column === null ? undefined : cells[column];
    const found = written === undefined ? cells.map(roleOf).find((role) => role !== null) : roleOf(written);
    if (found == null) {
      if (written !== undefined && written !== '') unknown.add(written);
      continue;
    }
    for (const number of numbers) if (!roles.has(number)) roles.set(number, found);
  }
  return { roles, unknown };
}
