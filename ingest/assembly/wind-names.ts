import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';

/** The rules are data, each a row of a table. */
const RULES = new URL('../../sql/catalogue/', import.meta.url);

interface TypeRule {
  /** Empty where the rule holds for every manufacturer. */
  readonly hersteller: string;
  /** A regular expression that matches the whole text. */
  readonly muster: string;
  readonly typ: string;
}

/**
 * The statements that fill the temporary table `windname`. The patterns stand in them as constants, which the engine
 * compiles once; patterns from a table it would compile again for each text that it compares.
 */
export function windNameStatements(): string {
  const types: readonly TypeRule[] = parse(readFileSync(new URL('wind-types.csv', RULES), 'utf8'), { columns: true });
  return warehouseSql('wind-names.sql', {
    manufacturers: literal(fileURLToPath(new URL('wind-manufacturers.csv', RULES))),
    typeBounds: literal(fileURLToPath(new URL('wind-type-bounds.csv', RULES))),
    typeRules: types.map(branchOf).join('\n    '),
  });
}

function branchOf({ hersteller, muster, typ }: TypeRule): string {
  const pattern = literal(`(?i)^(?:${muster})$`);
  const of = hersteller === '' ? '' : `hersteller = ${literal(hersteller)} AND `;
  return `WHEN ${of}regexp_matches(typRegister, ${pattern}) THEN regexp_replace(typRegister, ${pattern}, ${literal(typ)})`;
}
