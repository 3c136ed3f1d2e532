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
  EEG: 'Nummer einer EEG-Anlage',
  KWK: 'Nummer einer KWK-Anlage',
  ABR: 'Nummer eines Anlagenbetreibers',
  SNB: 'Nummer eines Netzbetreibers',
  SEL: 'Nummer einer Lokation',
  SNE: 'Nummer eines Netzes',
  SAN: 'Nummer eines Netzanschlusspunkts',
  SGE: 'Nummer einer Genehmigung',
  GEE: 'Nummer einer Gaseinheit',
  SVE: 'Nummer einer Verbrauchseinheit',
  BEE: 'Nummer eines Bilanzkreises',
};

export function readPasted(text: string): Pasted {
  const numbers = new Set<string>();
  const repeated = new Set<string>();
  const faulty = new Map<string, string>();
  const { roles, unknown } = rolesIn(text);
  for (const written of unknown) faulty.set(written, 'steht in der Spalte der Rollen, ist aber keine');
  const rest = text.replaceAll(CANDIDATE, (whole, letters: string, written: string) => {
    const kind = letters.toUpperCase();
    const digits = written.replaceAll(/\D/g, '');
    const number = kind + digits;
    if (kind === 'SEE' && digits.length === DIGITS) {
      if (numbers.has(number)) repeated.add(number);
      numbers.add(number);
    } else if (kind === 'SEE') {
      faulty.set(whole.trim(), `hat ${digits.length} statt ${DIGITS} Ziffern`);
    } else if (OTHERS[kind] !== undefined && digits.length === DIGITS) {
      faulty.set(number, `${OTHERS[kind]}, keiner Einheit`);
    }
    return ' ';
  });
  for (const [, digits = ''] of rest.matchAll(BARE)) faulty.set(digits, 'ohne die Buchstaben SEE davor');
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
