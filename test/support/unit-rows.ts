import { STORED_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { duckdb } from '../../sql/query/duckdb.ts';
import type { Tables } from './built.ts';

/** Every stored field of every unit by its number, with JSON values; times with all digits. */
export async function unitRows(tables: Tables): Promise<Map<string, Record<string, unknown>>> {
  const columns = STORED_FIELDS.map(({ name, kind }) =>
    kind === 'time'
      ? `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%f') AS ${name}`
      : `${duckdb.toJson(kind, name)} AS ${name}`,
  );
  const rows = await tables(`SELECT ${columns.join(', ')}, statusId FROM units`);
  return new Map(rows.map((row) => [String(row.mastrNummer), { ...row }]));
}
