import { READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { withoutErased } from '../../sql/query/erased.ts';
import {
  CHANGE_FIELDS,
  changedNumbers,
  changesSelect,
  VERSION_BEFORE,
} from '../../sql/warehouse/duckdb/dump-changes.ts';
import type { Dump, DumpForm } from '../../sql/warehouse/dumps.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { Pieced } from './pieces.ts';

/** What a dump holds: the units of a version, or what changed of them. */

export interface Content extends Pieced {
  readonly name: Dump['name'];
  readonly since?: Dump['since'];
}

export const unitsOf = (units: number): Content => ({
  name: 'mastr_einheiten',
  fields: READABLE_FIELDS,
  units,
  numbers: 'SELECT nummer FROM units',
  rows: (among) => `units WHERE ${among} ORDER BY nummer`,
});

/** @throws BuildRefused where the version does not know the one before it */
async function changesIn(engine: WarehouseConnection, erased: readonly string[]): Promise<Content> {
  const [before] = await engine.rows<{ version: string; build: number; asOf: string }>(VERSION_BEFORE);
  if (before === undefined) {
    throw new BuildRefused('The version knows no state before its own, so it has no changes: the next one has some');
  }
  const { version, build, asOf } = before;
  const remembered = (text: string): string => withoutErased({ text, values: {} }, erased).text;
  const numbers = remembered(changedNumbers(build));
  const counted = await engine.rows<{ units: number }>(
    `SELECT CAST(count(*) AS INTEGER) AS units FROM (${numbers}) AS numbered`,
  );
  return {
    ...{ name: 'mastr_aenderungen', fields: CHANGE_FIELDS, units: firstRow(counted).units, numbers },
    since: { version, asOf },
    rows: (among) => `(${remembered(changesSelect(build, among))}) AS units ORDER BY nummer, platz`,
  };
}

/** @param erased numbers whose past is to be forgotten */
export const contentOf = async (
  { changes }: DumpForm,
  units: number,
  engine: WarehouseConnection,
  erased: readonly string[],
): Promise<Content> => (changes ? changesIn(engine, erased) : unitsOf(units));
