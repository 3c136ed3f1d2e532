/** Numbers of units in a text that was copied from somewhere: a column, several columns, a mail. */

export interface Pasted {
  /** Numbers of units, each once, in their order. */
  readonly numbers: readonly string[];
  /** Numbers that came again. */
  readonly repeated: readonly string[];
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
    faulty: [...faulty].map(([found, why]) => ({ text: found, why })),
  };
}
