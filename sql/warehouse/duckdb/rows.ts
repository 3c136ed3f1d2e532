import type { Kind } from '../../catalogue/field.ts';
import { STORED_FIELDS, UNIT_FIELDS } from '../../catalogue/unit-fields.ts';
import { mastrBits } from '../../query/mastr-bits.ts';
import { fieldCode, LIST_SEPARATOR, UNIT_SEPARATOR } from '../rows/layout.ts';
import { UNIT_COLUMN_NAMES } from './columns.ts';

/** What the row file of a version is written from: `units`, one text for each unit. */

/** The columns of a row, in the order of their codes: what is served, and what served values are worked out from. */
export const ROW_COLUMNS: readonly { readonly name: string; readonly kind: Kind }[] = [
  ...STORED_FIELDS,
  ...UNIT_FIELDS.filter(({ source, pending, filterOnly }) => source === null && !pending && filterOnly === null)
    .flatMap(({ name, read }) => (read ?? name).match(/\w+/g) ?? [])
    .filter((name, index, all) => UNIT_COLUMN_NAMES.includes(name) && all.indexOf(name) === index)
    .filter((name) => !STORED_FIELDS.some((field) => field.name === name))
    .map((name) => ({ name, kind: 'text' as const })),
];

/** Both ends included; the numbers of units, and their rows in the order of the numbers. */
export const rowStatement = (from: string, to: string): string => `SELECT mastrNummer, ${rowText()}
FROM units WHERE nummer BETWEEN ${mastrBits(from)} AND ${mastrBits(to)} ORDER BY nummer`;

/** A row of `units` as one text. */
export function rowText(): string {
  const values = ROW_COLUMNS.map(({ name, kind }, index) => `chr(${fieldCode(index)}) || ${asText(kind, name)}`);
  return `concat_ws(${SEPARATOR}, ${values.join(', ')})`;
}

const SEPARATOR = `chr(${UNIT_SEPARATOR.charCodeAt(0)})`;

/** A value as a row holds it; NULL stays NULL, and the row leaves it out. */
function asText(kind: Kind, column: string): string {
  switch (kind) {
    case 'boolean':
      return `CASE WHEN ${column} THEN 1 WHEN NOT ${column} THEN 0 END`;
    case 'time':
      return `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
    case 'list':
      return `array_to_string(${column}, chr(${LIST_SEPARATOR.charCodeAt(0)}))`;
    default:
      return column;
  }
}
