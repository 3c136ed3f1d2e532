/**
 * The row file of a version: every served unit as one row of text, in the order of their MaStR numbers. A column store
 * finds units in milliseconds, but needs a read per column and row for their values; here a unit is one read. The rows
 * are not compressed: unpacking a hundred blocks takes longer than the whole rest of a page.
 *
 *     rows       each ended by LF, as UTF-8
 *     offsets    the beginning of each block of BLOCK_ROWS rows, and the end of the rows; float64, little endian
 *     checksums  CRC-32 of each block; uint32, little endian
 *     numbers    the twelve digits of each unit's number, in order; float64, little endian
 *     header     JSON: Header
 *     tail       CRC-32 of everything between rows and tail, length of the header, both uint32 little endian, and MAGIC
 *
 * A row is texts joined by US: the MaStR number; the values of few units, each after the character that stands for its
 * field; nothing; and the values that most units have, each in its place, with nothing where one is missing. A list is its
 * items joined by GS. A separator or ESC within a value is written as ESC and the character 0x40 above it, and a text
 * without characters as ESC and the character 0x40. The build leaves none of them in a text, so a row is written and read
 * without escapes unless it has one.
 *
 * LAYOUTS says how the files of earlier releases differ. They have other magic numbers, no values in places, and stay
 * readable.
 */

/** These rows fill half a page of memory: reading further rows costs more than more offsets. */
export const BLOCK_ROWS = 4;

/** Ends a row: the only line end with which the engine writes a file of rows. */
export const LINE_FEED = '\n';
export const UNIT_SEPARATOR = '\u001f';
/** Between the items of a list. */
export const GROUP_SEPARATOR = '\u001d';
export const ESCAPE = '\u001b';

/** Characters to escape in a value, and before that in an item of a list; ESC comes first, so that none is escaped twice. */
export const ESCAPED_IN_VALUES = [ESCAPE, LINE_FEED, UNIT_SEPARATOR] as const;
export const ESCAPED_IN_ITEMS = [ESCAPE, GROUP_SEPARATOR] as const;

/** Stands for a text without characters where nothing would mean that there is no value. */
export const EMPTY_TEXT = `${ESCAPE}@`;

/** Every character that makes a text one to be escaped. */
export const ESCAPED = [...new Set([...ESCAPED_IN_VALUES, ...ESCAPED_IN_ITEMS])];

const ESCAPE_DISTANCE = 0x40;

/** The letter that follows ESC in the place of a character. */
export const escapeLetter = (character: string): string =>
  String.fromCharCode(character.charCodeAt(0) + ESCAPE_DISTANCE);

const ESCAPES = new RegExp(`${ESCAPE}(.)`, 'g');

/** Reverses the escaping of a text. */
export const unescaped = (text: string): string =>
  text === EMPTY_TEXT
    ? ''
    : text.replace(ESCAPES, (_, letter: string) => String.fromCharCode(letter.charCodeAt(0) - ESCAPE_DISTANCE));

export interface Layout {
  readonly magic: string;
  /** Ends each row. */
  readonly rowEnd: string;
  /** False: damage of the file is not noticed. */
  readonly hasChecksums: boolean;
}

export const MAGIC = 'unitrow4';

/** The layouts by their magic numbers. */
export const LAYOUTS: ReadonlyMap<string, Layout> = new Map(
  [
    { magic: MAGIC, rowEnd: LINE_FEED, hasChecksums: true },
    { magic: 'unitrow3', rowEnd: '\u001e', hasChecksums: true },
    { magic: 'unitrow2', rowEnd: '\u001e', hasChecksums: false },
  ].map((layout) => [layout.magic, layout]),
);

export const TAIL_BYTES = 4 + 4 + MAGIC.length;

/** Bytes of each number and offset; rows can have any length. */
export const FLOAT_BYTES = 8;
export const CHECKSUM_BYTES = 4;

export interface RowFileHeader {
  readonly units: number;
  readonly blockRows: number;
  /** Name of the field that each code stands for: the first one belongs to `fieldCode(0)`. */
  readonly fields: readonly string[];
  /** The fields whose values have a place, in this order. Files of earlier releases have none. */
  readonly placed?: readonly string[];
  /**
   * Names what the text of a row depends on besides the values of its unit: while it stays the same, the rows of units that have
   * not changed are copied from one version to the next. Files of earlier releases have none.
   */
  readonly basis?: string;
}

/** The form of the rows of a file. */
export type RowForm = Required<Pick<RowFileHeader, 'fields' | 'placed' | 'basis'>>;

/** The fields of a row. */
export type RowFields = Omit<RowForm, 'basis'>;

const FIRST_CODE = 0x21;
const AFTER_ASCII = 0x7f;
/** Codes continue here, after ASCII and the control characters that follow it. */
const SECOND_CODE = 0xa1;

/** Code point of the character that a value of this field begins with: printable, and no separator. */
export function fieldCode(index: number): number {
  const code = FIRST_CODE + index;
  return code < AFTER_ASCII ? code : code - AFTER_ASCII + SECOND_CODE;
}

/** The field that a code stands for. */
export const fieldIndex = (code: number): number =>
  code < AFTER_ASCII ? code - FIRST_CODE : code - SECOND_CODE + AFTER_ASCII - FIRST_CODE;
