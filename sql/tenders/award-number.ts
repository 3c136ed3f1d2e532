/**
 * Award numbers (Zuschlagsnummern) as lists print them and as operators type them into the register: series, year, round
 * of the year and the number of the bid, `SOL20-2/150`. The grammar is that of the Bundesnetzagentur's lists since 2015.
 */

/** The series by which the numbers of each procedure begin, upper-case. */
export const SERIES = ['FFA', 'SOL', 'SDA', 'WIN', 'BIO', 'BME', 'INN', 'GEM', 'GEE', 'KWK', 'IKWK'] as const;

export type Series = (typeof SERIES)[number];

export interface AwardNumber {
  readonly serie: Series;
  /** Four digits. */
  readonly jahr: number;
  /** The round within its year, as the number writes it; it is not always the n-th date of the year. */
  readonly ordnungszahl: number;
  /** The number of the bid: numbers of awards have gaps. */
  readonly laufnummer: number;
  /** The one form in which the service prints the number. */
  readonly text: string;
}

/** The award numbers that a text has, and the rest of it. */
export interface AwardNumbers {
  /** Each number once, in the order of the text. */
  readonly numbers: readonly AwardNumber[];
  /** True when letters had to be corrected to read a number. */
  readonly repaired: boolean;
  /** The parts that are no award number, trimmed. */
  readonly rest: readonly string[];
}

const PATTERN = new RegExp(`^(${[...SERIES].reverse().join('|')})(\\d{2})-(\\d{1,2})[-/](\\d{1,4})$`);

/** A lower-case L stands where an I was meant: the two look alike in many typefaces. */
const LOOK_ALIKES: readonly (readonly [typed: RegExp, meant: string])[] = [
  [/^W[L1]N/, 'WIN'],
  [/^[L1]NN/, 'INN'],
  [/^[L1]KWK/, 'IKWK'],
  [/^B[L1]O/, 'BIO'],
  [/^(S)0(L)/, '$1O$2'],
];

/** Dashes and blanks that word processors put in their place. */
const DASHES = /[\u2010-\u2015\u2212]/g;
const BLANKS = /[\s\u00a0\u200b\ufeff]+/g;

/** Characters that may stand around a number by mistake. */
const STRAY = /^["'.:*(]+|["'.:*)]+$/g;

/**
 * Every award number of a register field or of a list's cell. Several may stand in one text, separated by semicolon,
 * comma, line break or a word, and the public table export joins the EEG and the CHP number with a comma, so that a part may be
 * empty. Bounded by the length of the text.
 */
export function awardNumbers(text: string): AwardNumbers {
  const numbers = new Map<string, AwardNumber>();
  const rest: string[] = [];
  let repaired = false;
  for (const part of text.split(/[;,\n\r|&]| und | u\. | \/ (?=[a-z])/i)) {
    const trimmed = part.trim();
    const read = awardNumber(trimmed);
    if (read !== null) {
      numbers.set(read.number.text, read.number);
      repaired ||= read.repaired;
    } else if (trimmed !== '') rest.push(trimmed);
  }
  return { numbers: [...numbers.values()], repaired, rest };
}

function awardNumber(text: string): { number: AwardNumber; repaired: boolean } | null {
  // A longer text is no award number.
  if (text.length > 40) return null;
  const typed = text.replaceAll(BLANKS, '').replaceAll(DASHES, '-').replaceAll(STRAY, '').toUpperCase();
  const corrected = LOOK_ALIKES.reduce((word, [pattern, meant]) => word.replace(pattern, meant), typed);
  const match = PATTERN.exec(corrected);
  if (match === null) return null;
  const [, serie, year, round, sequence] = match;
  const parts = {
    serie: serie as Series,
    jahr: 2000 + Number(year),
    ordnungszahl: Number(round),
    laufnummer: Number(sequence),
  };
  // Rounds and bids count from 1.
  if (parts.ordnungszahl === 0 || parts.laufnummer === 0) return null;
  return { number: { ...parts, text: printAwardNumber(parts) }, repaired: corrected !== typed };
}

/** `WIN17-1/096`; numbers of CHP have a dash and no leading zeros, as their lists print them: `iKWK25-1-2`. */
export function printAwardNumber({ serie, jahr, ordnungszahl, laufnummer }: Omit<AwardNumber, 'text'>): string {
  const round = `${serie === 'IKWK' ? 'iKWK' : serie}${String(jahr % 100).padStart(2, '0')}-${ordnungszahl}`;
  return serie === 'KWK' || serie === 'IKWK'
    ? `${round}-${laufnummer}`
    : `${round}/${String(laufnummer).padStart(3, '0')}`;
}

/** The round that a number names, as lists print it: `WIN17-1`. */
export const roundCode = ({ serie, jahr, ordnungszahl }: Omit<AwardNumber, 'text' | 'laufnummer'>): string =>
  `${serie === 'IKWK' ? 'iKWK' : serie}${String(jahr % 100).padStart(2, '0')}-${ordnungszahl}`;

/** Ids of awards have room for this many under a tender. */
const IDS_PER_TENDER = 100_000;

/** Sequence numbers have up to four digits; ids of awards whose number does not parse begin above them. */
const FIRST_HASHED = 10_000;

/** The id of an award whose number names a bid of the tender. */
export const awardId = (tender: number, laufnummer: number): number => tender * IDS_PER_TENDER + laufnummer;

/**
 * The id of an award by its folded text, for numbers that do not parse.
 * @param attempt counts up while the id is taken by another text
 */
export const hashedAwardId = (tender: number, folded: string, attempt = 0): number =>
  tender * IDS_PER_TENDER + FIRST_HASHED + ((hash(folded) + attempt) % (IDS_PER_TENDER - FIRST_HASHED));

/** FNV-1a over code units: small, and the same on every machine. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
