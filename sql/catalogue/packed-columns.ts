import { type ColumnEncoding, PROJECTION_COLUMNS } from './projections.ts';
import { KEPT_COLUMNS } from './unit-columns.ts';

/**
 * The columns of DuckDB's projections. A projection costs about the same for each column that it has, however few different
 * values that one holds, and much more once a row no longer has a fixed size. So columns of which few units have a value
 * share one, flags are bits of one number, and no column holds a text or a list.
 *
 * Versions that were built before have a column for each, encoded as `PROJECTION_COLUMNS` says, like ClickHouse.
 */

/**
 * Columns of which projections keep whether they are true, or have a value, by the number that has their bits, in their order.
 * A version in service may have each, so a list that was released never changes; what is new gets another number.
 */
export const FLAG_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  merkmale: [
    'latitude',
    'eegMastrNummer',
    'eegZuschlagsnummer',
    'mitKwk',
    'kwkMastrNummer',
    'kwkZuschlagsnummer',
    'nepGelistet',
    'genehmigungMastrNummer',
    'buergerenergie',
    'grenzkraftwerk',
    'mitFlexipraemie',
    'leistungserhoehung',
    'minderungStromerzeugung',
    'speicherNotstromaggregat',
  ],
};

/**
 * Columns of labels that share one, by its name. No unit has values of two columns that share one, since none is read from a
 * kind of file that the other is read from. A list that was released never changes, as above.
 */
export const SHARED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  technik1: [
    'solarLage',
    'speichertechnologie',
    'windHersteller',
    'biomasseart',
    'wasserkraftart',
    'verbrennungTechnologie',
    'geothermieTechnologie',
    'kernkraftTechnologie',
  ],
  technik2: ['solarNutzungsbereich', 'speicherAcDcKopplung', 'windTypenbezeichnung', 'hauptbrennstoff', 'zuflussart'],
  technik3: ['solarSpeicherVorhanden', 'windpark', 'biomasseTechnologie', 'pumpspeichertechnologie'],
};

/** The form in which a projection keeps a column of `units`. */
export type PackedEncoding =
  | { readonly as: 'own' } //         in a column of its own, as in `units`
  | { readonly as: 'number' } //      in a column of its own: a MaStR number as 64 bits
  | { readonly as: 'labels' } //      in a column of its own: texts as an ENUM of those that occur, in order
  | { readonly as: 'beginnings' } //  the same, and the ENUM has the bounds of all beginnings of its texts
  | { readonly as: 'lists' } //       in a column of its own: lists as an ENUM of their texts
  | { readonly as: 'digest' } //      in a column of its own: 64 bits of the MD5 sum of a text
  | { readonly as: 'flag'; readonly column: string; readonly bit: number } // as a bit of a number
  | { readonly as: 'shared'; readonly column: string }; // as a label in a column that several share

/** Texts that callers search by their beginning. */
const BY_BEGINNING: ReadonlySet<string> = new Set(['plz']);

/**
 * Texts with too many values for an ENUM, which are only compared as a whole. In half a million names, two have the same 64
 * bits with a probability of one in a hundred million.
 */
const BY_DIGEST: ReadonlySet<string> = new Set(['betreiberName']);

const LISTS: ReadonlySet<string> = new Set(
  KEPT_COLUMNS.filter(([, type]) => type.endsWith('[]')).map(([name]) => name),
);

/** Every column that projections keep, with its encoding. */
export const PACKED_COLUMNS: ReadonlyMap<string, PackedEncoding> = new Map(
  [...PROJECTION_COLUMNS].map(([name, encoding]) => [name, packed(name, encoding)]),
);

function packed(name: string, encoding: ColumnEncoding): PackedEncoding {
  const flags = columnWith(FLAG_COLUMNS, name);
  if (flags !== null) return { as: 'flag', ...flags };
  const shared = columnWith(SHARED_COLUMNS, name);
  if (shared !== null) return { as: 'shared', column: shared.column };
  if (BY_BEGINNING.has(name)) return { as: 'beginnings' };
  if (BY_DIGEST.has(name)) return { as: 'digest' };
  if (LISTS.has(name)) return { as: 'lists' };
  if (encoding === 'presence') throw new Error(`${name} needs a bit in FLAG_COLUMNS`);
  return { as: encoding };
}

/** Finds a name in lists by column. @returns the column, and the place of the name in its list; null when none has it */
function columnWith(
  lists: Readonly<Record<string, readonly string[]>>,
  name: string,
): { readonly column: string; readonly bit: number } | null {
  const found = Object.entries(lists).find(([, names]) => names.includes(name));
  return found === undefined ? null : { column: found[0], bit: found[1].indexOf(name) };
}

/** The bounds of the labels of a column in one that several share, where its name comes before each: `from`, and below `below`. */
export const sharedBounds = (name: string): { readonly from: string; readonly below: string } => ({
  from: `${name}=`,
  below: `${name}>`,
});

/** After a beginning: a text above all that begin so. Unicode reserves the last code point, so that no text has it twice. */
export const LAST_TEXT = '\u{10ffff}\u{10ffff}';
