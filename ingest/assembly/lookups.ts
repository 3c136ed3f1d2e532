import { entryOf } from '../../runtime/present.ts';
import { SAME_POINT_M } from '../../sql/catalogue/rules-wind.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import { STAGED_TABLES } from '../stage/tables.ts';
import type { Assembly } from './assembly.ts';
import { type LaneTask, type OrderedTask, runOrdered, statement, task } from './lanes.ts';
import { findMisplaced } from './misplaced.ts';
import { placeStatements } from './places.ts';
import { openHistory } from './previous-version.ts';
import { nameNumbers } from './references.ts';
import { openStaged } from './staged.ts';
import { findSharedPlants, supportAcrossSlices } from './support.ts';
import { linkAwards } from './tenders.ts';
import { windNameStatements } from './wind-names.ts';

/** Fills the tables that the slices of units are joined with, side by side on lanes. */
export async function fillLookups(assembly: Assembly): Promise<void> {
  const tasks = lookupTasks(assembly);
  assembly.progress.stage('look-ups', tasks.length, 'tasks');
  await runOrdered(assembly.lanes, tasks, () => assembly.progress.advance(1));
}

/** The first and the last number that a unit can have. */
const UNIT_NUMBERS = { from: unitNumberOf(0), to: unitNumberOf(10 ** 12 - 1) };

/** The tasks, each after those that fill what it reads; first those that take long, or for which others wait. */
function lookupTasks(assembly: Assembly): OrderedTask[] {
  const { nep, places, self } = assembly;
  const on = (lane: Parameters<LaneTask>[0]): Assembly => ({ ...assembly, warehouse: lane });
  const tables = new Map(STAGED_TABLES.map((table) => [table.name, task((lane) => openStaged(on(lane), table))]));
  const table = (name: string): OrderedTask => entryOf(tables, name);

  const units = task(statement(warehouseSql('served-units.sql', UNIT_NUMBERS)), table('einheit'), table('geloescht'));
  const plants = task((lane) => findSharedPlants(lane, assembly.stage), units, table('eeg'));
  const windNames = task(statement(windNameStatements()), table('einheit'));
  // Findings of both stand in the order of these two.
  const awards = task((lane) => linkAwards(on(lane)), units, windNames, table('eeg'), table('kwk'));
  const grid = task(
    statement(warehouseSql('lookups.sql')),
    ...['akteur', 'lokation', 'punkt', 'bilanzierungsgebiet'].map(table),
  );
  const storage = task(statement(warehouseSql('storage-plants.sql')), units, table('speicher'));
  const sites = task(statement(warehouseSql('sites.sql')), units, grid);
  const references = task(statement(warehouseSql('references.sql')), grid, plants);
  return [
    ...tables.values(),
    units,
    plants,
    grid,
    sites,
    windNames,
    awards,
    storage,
    references,
    task((lane) => supportAcrossSlices({ ...on(lane), day: self.exportDay }), references, awards),
    task((lane) => nameNumbers(on(lane)), units),
    task((lane) => findMisplaced(lane, assembly.stage), units),
    task(statement(warehouseSql('twin-units.sql', { samePointM: SAME_POINT_M })), units),
    task(statement(placeStatements(places).join('\n')), units),
    task((lane) => openHistory(on(lane))),
    task(statement(nep === null ? warehouseSql('no-nep.sql') : warehouseSql('nep.sql', { file: literal(nep) }))),
  ];
}
