import { readFileSync } from 'node:fs';
import { carrierBit } from '../../sql/catalogue/carriers.ts';
import { duckdbMastrBits, duckdbMastrNumber, MASTR_NUMBER } from '../../sql/register/mastr-number.ts';

const FOLDER = new URL('../../sql/warehouse/duckdb/', import.meta.url);

/**
 * The text of a .sql file of the warehouse with its {{placeholders}} filled. Values are inserted without quoting: they
 * come from the catalogue and from numbers of the build, never from an export.
 * @throws Error when a placeholder has no value
 */
export function warehouseSql(file: string, values: Readonly<Record<string, string | number>> = {}): string {
  return warehouseText(file).replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file} needs a value for {{${name}}}`);
    return String(value);
  });
}

/** The text of such a file as it is. */
export const warehouseText = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** The macros that the other statements use. */
export const macroStatements = (): string =>
  warehouseSql('macros.sql', {
    mastrNumberPattern: MASTR_NUMBER,
    mastrNumberOfBits: duckdbMastrNumber('bits'),
    mastrBitsOfNumber: duckdbMastrBits('number'),
    carrierBit: carrierBit('name'),
  });

/** A text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
