/**
 * The orders of units: pages in the usual orders and with the usual filters are read from here without a statement. It is a
 * checked file (checked-file.ts) of these sections
 *
 *     number.kinds                    per unit in the order of numbers: its kind; uint16
 *
 * and, for each order by another field, under its name:
 *
 *     keys                            every value that occurs, ascending: kilowatts, or numbers of days (regions/layout.ts)
 *     starts                          per value, and for units without one, which come last: its first unit, and the end
 *     units                           per unit in this order, those of a value by number: RECORD_BYTES
 *
 * A record has the twelve digits of the unit's number in five bytes, the lowest first, and its kind in two. Units are of one kind
 * that have the same carrier, state, operating status and first digits of the postal code.
 */

export const MAGIC = 'uorders1';

export const RECORD_BYTES = 7;

/** Fields of which a version has the order, beside that of numbers, in which every unit has its place. */
export const ORDERED = {
  bruttoleistungKw: 'units_by_capacity',
  inbetriebnahmedatum: 'units_by_commissioning',
  registrierungsdatum: 'units_by_registration',
} as const;

export type OrderedField = keyof typeof ORDERED;

export const isOrdered = (name: string): name is OrderedField => name in ORDERED;

/** Digits of the postal code that units of a kind have in common. */
export const AREA_DIGITS = 2;

/** Kinds that two bytes can tell apart. */
export const MOST_KINDS = 1 << 16;

export interface Kind {
  readonly einheitTyp: string | null;
  readonly bundesland: string | null;
  readonly betriebsStatus: string | null;
  /** The first digits of the postal code. */
  readonly plz: string | null;
}

export interface OrdersHeader {
  /** Units of the version. */
  readonly units: number;
  readonly kinds: readonly Kind[];
  /** Units of each kind. */
  readonly counts: readonly number[];
  /** False when there were more kinds than can be told apart: the file then answers nothing. */
  readonly isComplete: boolean;
}
