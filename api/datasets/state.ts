import { z } from 'zod';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { VersionReader } from '../warehouse/version.ts';
import type { ServedDataset } from './served.ts';

/** The state of a dataset in a version. */
interface DatasetState {
  /** The exact number of rows. */
  readonly rows: number;
  /** YYYY-MM-DD; null = unknown. */
  readonly asOf: string | null;
}

const stateRow = z.strictObject({ rows: z.number(), asOf: z.string().nullable() });

/** Reads the state of a dataset; one that the version has no table for is empty, and of an unknown day. */
export async function stateOf(served: ServedDataset, version: VersionReader): Promise<DatasetState> {
  if (!version.tables.has(served.table)) return { rows: 0, asOf: null };
  return firstRow(await version.query(stateRow, stateStatement(served, version)));
}

function stateStatement({ table, groups, origin }: ServedDataset, { dialects }: VersionReader): WarehouseStatement {
  const counted = groups === null ? table : dialects.units.summed(table, groups);
  return {
    text: `SELECT (SELECT CAST(count(*) AS DOUBLE) FROM ${counted}) AS rows, ${origin.asOf(dialects.units)} AS "asOf" FROM dataset`,
    values: {},
  };
}
