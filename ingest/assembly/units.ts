import {
  anomaliesExpression,
  BESIDE_NAMES,
  besideColumns,
  proposalsExpression,
  ruleBits,
} from '../../sql/catalogue/anomalies.ts';
import { signalsExpression } from '../../sql/catalogue/signals.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { contentHash, referencedRecords, unitSelectList } from '../../sql/warehouse/duckdb/columns.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import type { Assembly } from './assembly.ts';
import { runOnLanes } from './lanes.ts';
import { sharedColumnsOf } from './lineage.ts';
import { REFERENCES, referencesOfSlice, removeReferencesOfSlice } from './references.ts';
import { removeStagedSlice, stagedFiles, UNITS } from './staged.ts';
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
  const { warehouse, lanes, stage, slices, before, nep, destination, progress } = assembly;
  const total = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM einheit'));
  progress.stage('units', Number(total.n), 'units');
  const tasks = sliceRanges(slices).map(({ from, to }, slice) => async (lane: WarehouseConnection) => {
    await destination.leadSlice(async () => {
      await joinSlice(assembly, lane, slice, { from: unitNumberOf(from), to: unitNumberOf(to) });
      progress.advance(await destination.addSlice(lane, slice));
      await removeStagedSlice(stage, UNITS, slice);
      await removeReferencesOfSlice({ stage, slices }, slice);
    });
  });
  for (const text of SETTINGS) await warehouse.run(`SET ${text}`);
  await runOnLanes(lanes, tasks);
  await destination.endSlices(lanes);
  // A lane that got no slice has none.
  for (const lane of lanes)
    for (const table of ['eeg_plants', 'eeg_support', 'looked_up']) await lane.run(`DROP TABLE IF EXISTS ${table}`);
  for (const text of SETTINGS) await warehouse.run(`RESET ${text.split(' ')[0]}`);
  if (before !== null) await carryDepartedUnits(assembly);
  if (nep !== null) await warehouse.run(warehouseSql('nep-account.sql'));
}

/** Makes the view `slice_units` and what it reads. */
async function joinSlice(
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
      besideColumns: besideColumns(),
      besideNames: BESIDE_NAMES.join(', '),
      ruleBits: ruleBits(exportDay),
      anomalies: anomaliesExpression('rule_bits'),
      proposals: proposalsExpression('rule_bits'),
      signals: signalsExpression(exportDay),
    }),
  );
}

async function carryDepartedUnits(assembly: Assembly): Promise<void> {
  const { warehouse, destination, self } = assembly;
  const sharedColumns = await sharedColumnsOf(assembly, 'previous_version');
  const { isAbsent } = destination;
  await warehouse.run(warehouseSql('departed.sql', { sequence: self.sequence, sharedColumns, isAbsent }));
}
