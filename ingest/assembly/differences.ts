import { mastrBits, unitNumberOf } from '../../sql/register/mastr-number.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { isHashedAlike } from './lineage.ts';
import type { DifferingRow } from './row-pieces.ts';

/**
 * Fills `unterschiede`: in which columns rows that were replaced differ from those that followed them (sql/query/history.ts).
 * @param build `isNight`: the table has what earlier builds said
 * @param differing null where this build has compared no rows
 */
export async function fillDifferences(
  engine: WarehouseConnection,
  { sequence, isNight }: { readonly sequence: number; readonly isNight: boolean },
  differing: readonly DifferingRow[] | null,
): Promise<void> {
  if (!isNight) await carryDifferences(engine);
  if (differing === null) return;
  const columns = new Map(differing);
  const rows: [bigint, number, string][] = [];
  // Two rows end with this build where a version that was withdrawn had the unit otherwise, so which one follows is not said.
  await engine.columns(
    `SELECT (nummer & 1099511627775)::DOUBLE FROM units_ersetzt WHERE ersetztSeit = ${sequence}
       AND nummer IN (SELECT nummer FROM units WHERE gueltigSeit = ${sequence}) AND nummer NOT IN (SELECT nummer FROM withdrawn_units)`,
    ([all = []]) => {
      for (const digits of all as number[])
        rows.push([mastrBits(unitNumberOf(digits)), sequence, columns.get(digits) ?? '']);
    },
  );
  await engine.append('unterschiede', rows);
}

/** Takes over what earlier builds said, unless the release knew other fields. */
async function carryDifferences(engine: WarehouseConnection): Promise<void> {
  if ((await columnsOf(engine, 'previous_version', 'unterschiede')).size === 0) return;
  if (await isHashedAlike(engine)) await engine.run('INSERT INTO unterschiede FROM previous_version.unterschiede');
}
