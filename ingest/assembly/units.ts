import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { signalsExpression } from '../../sql/catalogue/signals.ts';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { contentHash, unitSelectList } from '../../sql/warehouse/duckdb/columns.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import { duckdbSliceOf, sliceRanges } from '../stage/slices.ts';
import type { Assembly } from './assembly.ts';
import { type LaneTask, runOnLanes } from './lanes.ts';
import { stagedFiles, UNITS } from './staged.ts';
import { supportOfSlice } from './support.ts';

/** Fills `units` and `units_departed`, slice by slice. */

/** The records to which units refer: a view of references.sql, its key, and the element of the unit that names the key. */
const REFERENCES = [
  { name: 'eeg', key: 'EegMaStRNummer', reference: 'EegMaStRNummer' },
  { name: 'speicher', key: 'MaStRNummer', reference: 'SpeMastrNummer' },
  { name: 'betreiber', key: 'nummer', reference: 'AnlagenbetreiberMastrNummer' },
  { name: 'lokation', key: 'nummer', reference: 'LokationMaStRNummer' },
  { name: 'anschluss', key: 'location', reference: 'LokationMaStRNummer' },
] as const;

/** The tasks that split the records to which units refer by slices; none where one slice has all units. */
export function referenceTasks({ stage, slices }: Pick<Assembly, 'stage' | 'slices'>): LaneTask[] {
  if (slices === 1) return [];
  const sliceOfUnit = duckdbSliceOf('EinheitMastrNummer', slices);
  mkdirSync(referenceFolder(stage), { recursive: true });
  return REFERENCES.map(({ name, key, reference }) => {
    const text = warehouseSql('reference-slices.sql', {
      ...{ view: `referenced_${name}`, key, reference, sliceOfUnit },
      folder: literal(join(referenceFolder(stage), name)),
      shape: literal(shapeOf(stage, name)),
    });
    return (lane) => lane.run(text);
  });
}

const referenceFolder = (stage: string): string => join(stage, 'references');
const shapeOf = (stage: string, name: string): string => join(referenceFolder(stage), `${name}.parquet`);

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
  for (const lane of lanes) await lane.run('DROP TABLE IF EXISTS eeg_plants; DROP TABLE IF EXISTS eeg_support');
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

/** The statement that makes the view of the records to which the units of a slice refer. */
function referencesOfSlice({ stage, slices }: Pick<Assembly, 'stage' | 'slices'>, name: string, slice: number): string {
  const view = `CREATE OR REPLACE TEMP VIEW slice_${name} AS FROM`;
  if (slices === 1) return `${view} referenced_${name}`;
  const files = readdirSync(join(referenceFolder(stage), name), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.parentPath.endsWith(`slice=${slice}`))
    .map((file) => literal(join(file.parentPath, file.name)));
  return `${view} read_parquet([${[literal(shapeOf(stage, name)), ...files].join(', ')}], hive_partitioning = false)`;
}

async function carryDepartedUnits(warehouse: WarehouseConnection, sequence: number): Promise<void> {
  const before = await columnsOf(warehouse, 'previous_version', 'units');
  const shared = UNIT_COLUMN_NAMES.filter((name) => name !== 'betreiberName' && before.has(name));
  await warehouse.run(warehouseSql('departed.sql', { sequence, sharedColumns: shared.join(', ') }));
}
