import { signalsExpression } from '../../sql/catalogue/signals.ts';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { contentHash, referencedRecords, unitSelectList } from '../../sql/warehouse/duckdb/columns.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import type { Assembly } from './assembly.ts';
import { runOnLanes } from './lanes.ts';
import { REFERENCES, referencesOfSlice } from './references.ts';
import { stagedFiles, UNITS } from './staged.ts';
import { supportOfSlice } from './support.ts';

/** Fills `units` and `units_departed`, slice by slice. */

/**
 * Settings of the engine while units are joined. Rows of a slice are written in any order, one full row group at a time, and
 * joins keep in memory what units refer to: the engine would choose the units, as it estimates a slice by its files.
 */
const SETTINGS = [
  'preserve_insertion_order = false',
  'write_buffer_row_group_count = 1',
  `disabled_optimizers = 'build_side_probe_side'`,
];

export async function fillUnits(assembly: Assembly): Promise<void> {
  const { warehouse, lanes, slices, self, before, nep, progress } = assembly;
  const total = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM einheit'));
  progress.stage('units', Number(total.n), 'units');
  let filled = 0;
  const tasks = sliceRanges(slices).map(({ from, to }, slice) => async (lane: WarehouseConnection) => {
    await fillSlice(assembly, lane, slice, { from: unitNumberOf(from), to: unitNumberOf(to) });
    const { n } = firstRow(await lane.rows<{ n: bigint }>('SELECT count(*) AS n FROM units'));
    progress.advance(Math.max(0, Number(n) - filled));
    filled = Math.max(filled, Number(n));
  });
  for (const text of SETTINGS) await warehouse.run(`SET ${text}`);
  await runOnLanes(lanes, tasks);
  // A lane that got no slice has none.
  for (const lane of lanes)
    for (const table of ['eeg_plants', 'eeg_support', 'looked_up']) await lane.run(`DROP TABLE IF EXISTS ${table}`);
  for (const text of SETTINGS) await warehouse.run(`RESET ${text.split(' ')[0]}`);
  if (before !== null) await carryDepartedUnits(warehouse, self.sequence);
  if (nep !== null) await warehouse.run(warehouseSql('nep-account.sql'));
}

async function fillSlice(
  { stage, slices, self }: Assembly,
  lane: WarehouseConnection,
  slice: number,
  range: { readonly from: string; readonly to: string },
): Promise<void> {
  const { sequence, exportDay } = self;
  await lane.run(warehouseSql('slice.sql', { ...range, files: stagedFiles(stage, UNITS, slice).join(', ') }));
  for (const { name } of REFERENCES) await lane.run(referencesOfSlice({ stage, slices }, name, slice));
  await supportOfSlice({ warehouse: lane, day: exportDay, slices });
  await lane.run(warehouseSql('looked-up.sql', { ...range, records: referencedRecords() }));
  await lane.run(
    warehouseSql('units.sql', {
      ...range,
      unitSelectList: unitSelectList(),
      contentHash: contentHash(),
      sequence,
      exportDay,
      signals: signalsExpression(exportDay),
    }),
  );
}

async function carryDepartedUnits(warehouse: WarehouseConnection, sequence: number): Promise<void> {
  const before = await columnsOf(warehouse, 'previous_version', 'units');
  const shared = UNIT_COLUMN_NAMES.filter((name) => name !== 'betreiberName' && before.has(name));
  await warehouse.run(warehouseSql('departed.sql', { sequence, sharedColumns: shared.join(', ') }));
}
