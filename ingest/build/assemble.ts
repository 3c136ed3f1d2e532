import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  contentHash,
  hashBasis,
  UNIT_COLUMN_NAMES,
  unitColumns,
  unitSelectList,
} from '../../sql/warehouse/duckdb/columns.ts';
import { columnFor } from '../stage/columns.ts';
import type { Catalogues } from '../stage/labels.ts';
import { ParquetFile } from '../stage/parquet.ts';
import { ORIGIN_COLUMNS } from '../stage/staging.ts';
import { STAGED_TABLES, type StagedTable, tableColumns } from '../stage/tables.ts';
import type { Progress } from './progress.ts';
import { literal, statement } from './statements.ts';
import type { BuildingWarehouse } from './warehouse.ts';

/** From staged files to the tables of a version: the statements of sql/warehouse/duckdb, in their order. */

export interface Assembly {
  readonly warehouse: BuildingWarehouse;
  readonly stage: string;
  readonly catalogues: Catalogues;
  readonly sequence: number;
  readonly exportDay: string;
  /** File of the version whose history is carried over; null for the first one. */
  readonly previous: string | null;
  /** Files with the history of older exports that `previous` does not have yet. */
  readonly olderExports: readonly string[];
  readonly progress: Progress;
}

/** Units of a slice: their wide rows, joined and sorted, take some 600 MB. */
const UNITS_PER_SLICE = 750_000;

/** Makes and fills all tables that come from the records. */
export async function assemble(assembly: Assembly): Promise<void> {
  const { warehouse, progress } = assembly;
  progress.stage('tables and duplicates', STAGED_TABLES.length, 'tables');
  await warehouse.run(statement('tables.sql', { unitColumns: unitColumns() }));
  await warehouse.run(statement('macros.sql'));
  for (const table of STAGED_TABLES) {
    await openStaged(assembly, table);
    progress.advance(1);
  }
  progress.stage('look-ups');
  await openHistory(assembly);
  await warehouse.run(statement('lookups.sql'));
  await fillUnits(assembly);
  progress.stage('roll-ups', await countRegions(warehouse), 'regions');
  await fillRollups(assembly);
}

/** Views over the files of a staged table; one empty file with all columns stands in for elements that no file had. */
export async function openStaged(
  { warehouse, stage, catalogues }: Pick<Assembly, 'warehouse' | 'stage' | 'catalogues'>,
  table: StagedTable,
): Promise<void> {
  const folder = join(stage, table.name);
  writeShape(join(folder, 'shape.parquet'), table, catalogues);
  const files = readdirSync(folder).map((file) => literal(join(folder, file)));
  await warehouse.run(
    statement('staged-table.sql', {
      table: table.name,
      files: files.join(', '),
      key: table.key ?? '_zeile',
      changed: table.changed ?? 'NULL::TIMESTAMP',
    }),
  );
}

function writeShape(path: string, table: StagedTable, catalogues: Catalogues): void {
  const columns = tableColumns(table, catalogues).map(({ name, kind }) => ({
    name,
    type: columnFor(kind, 0, { first: 0, last: 0 }, () => {}).type,
  }));
  new ParquetFile(path, [...ORIGIN_COLUMNS, ...columns]).close();
}

async function openHistory({ warehouse, previous, olderExports }: Assembly): Promise<void> {
  if (previous === null) await warehouse.run(statement('no-history.sql'));
  else {
    await warehouse.run(`ATTACH ${literal(previous)} AS vorige (READ_ONLY)`);
    await warehouse.run(statement('history.sql', { previousHash: await previousHash(warehouse) }));
  }
  const files = olderExports.map(literal).join(', ');
  await warehouse.run(statement(olderExports.length === 0 ? 'no-older-exports.sql' : 'older-exports.sql', { files }));
}

/** How the content of the version before is hashed: as it stored it, where the hashes can be compared. */
async function previousHash(warehouse: BuildingWarehouse): Promise<string> {
  const [dataset] = await warehouse.rows<{ hashBasis: string }>('SELECT hashBasis FROM vorige.dataset');
  if (dataset?.hashBasis === hashBasis(warehouse.engineVersion)) return 'inhalt';
  return contentHash(await columnsOf(warehouse, 'units'));
}

async function columnsOf(warehouse: BuildingWarehouse, table: string): Promise<Set<string>> {
  const rows = await warehouse.rows<{ name: string }>(
    `SELECT column_name AS name FROM duckdb_columns() WHERE database_name = 'vorige' AND table_name = ${literal(table)}`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function fillUnits({ warehouse, sequence, exportDay, previous, progress }: Assembly): Promise<void> {
  const [total] = await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM einheit');
  progress.stage('units', Number(total!.n), 'units');
  let done = 0;
  for (const [from, to] of await slices(warehouse, Number(total!.n))) {
    await warehouse.run(
      statement('units.sql', {
        unitSelectList: unitSelectList(),
        contentHash: contentHash(),
        from: String(from),
        to: String(to),
        sequence,
        exportDay,
      }),
    );
    const [filled] = await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM units');
    progress.advance(Number(filled!.n) - done);
    done = Number(filled!.n);
  }
  if (previous !== null) await carryDeparted(warehouse, sequence);
}

async function carryDeparted(warehouse: BuildingWarehouse, sequence: number): Promise<void> {
  const before = await columnsOf(warehouse, 'units');
  const shared = UNIT_COLUMN_NAMES.filter((name) => name !== 'betreiberName' && before.has(name));
  await warehouse.run(statement('departed.sql', { sequence, sharedColumns: shared.join(', ') }));
}

/** Ranges of unit numbers, in their order, that hold about equally many units. */
async function slices(warehouse: BuildingWarehouse, units: number): Promise<[from: bigint, to: bigint][]> {
  const count = Math.max(1, Math.ceil(units / UNITS_PER_SLICE));
  const shares = Array.from({ length: count - 1 }, (_, index) => (index + 1) / count);
  const [row] =
    shares.length === 0
      ? [{ borders: [] as bigint[] }]
      : await warehouse.rows<{ borders: bigint[] }>(
          `SELECT approx_quantile(EinheitMastrNummer, [${shares.join(', ')}]) AS borders FROM einheit`,
        );
  const borders = [...new Set(row!.borders)].sort((a, b) => (a < b ? -1 : 1));
  const starts = [0n, ...borders.map((border) => border + 1n)];
  return starts.map((start, index) => [start, borders[index] ?? LARGEST_NUMBER]);
}

/** Above every MaStR number: 26³ prefixes times 2^40. */
const LARGEST_NUMBER = 17_576n * (1n << 40n);

async function countRegions(warehouse: BuildingWarehouse): Promise<number> {
  const [row] = await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM regionen');
  return Number(row!.n);
}

async function fillRollups({ warehouse, progress }: Assembly): Promise<void> {
  const [total] = await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM units');
  const regions = await countRegions(warehouse);
  const count = Math.max(1, Math.ceil(Number(total!.n) / (2 * UNITS_PER_SLICE)));
  for (let slice = 0; slice < count; slice++) {
    const from = Math.floor((regions * slice) / count) + 1;
    const to = Math.floor((regions * (slice + 1)) / count);
    await warehouse.run(statement('rollups.sql', { from, to }));
    progress.advance(to - from + 1);
  }
  await warehouse.run(statement('overview.sql'));
}
