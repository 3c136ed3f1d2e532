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
import { keepRecords, RECORDS } from './records.ts';
import { nameNumbers } from './references.ts';
import { openStaged } from './staged.ts';
import { findSharedPlants, supportAcrossSlices } from './support.ts';
import { linkAwards } from './tenders.ts';
import { windNameStatements } from './wind-names.ts';

/** Fills the tables that the slices of units are joined with, side by side on lanes. */
export async function fillLookups(assembly: Assembly): Promise<void> {
  const register = registerTasks(assembly, (lane) => openHistory(on(assembly, lane)));
  // A version that no night can go on from keeps no records.
  const records = typeof assembly.destination.takeOver === 'string' ? [] : recordTasks(register);
  await runLookups(assembly, [...register.all, ...unitTasks(assembly, register), ...records]);
}

/** Fills those that the whole register is counted by, once the history is open: what a night looks up of units that have not changed. */
export async function fillRegisterLookups(assembly: Assembly): Promise<void> {
  const register = registerTasks(assembly, async () => {});
  await runLookups(assembly, [...register.all, ...recordTasks(register)]);
}

const recordTasks = ({ table }: RegisterTasks): OrderedTask[] =>
  RECORDS.map((record) => task(statement(keepRecords(record)), table(record.table)));

async function runLookups({ lanes, progress }: Assembly, tasks: readonly OrderedTask[]): Promise<void> {
  progress.stage('look-ups', tasks.length, 'tasks');
  await runOrdered(lanes, tasks, () => progress.advance(1));
}

/** The first and the last number that a unit can have. */
const UNIT_NUMBERS = { from: unitNumberOf(0), to: unitNumberOf(10 ** 12 - 1) };

const on = (assembly: Assembly, lane: Parameters<LaneTask>[0]): Assembly => ({ ...assembly, warehouse: lane });

interface RegisterTasks {
  readonly table: (name: string) => OrderedTask;
  readonly units: OrderedTask;
  readonly grid: OrderedTask;
  readonly awards: OrderedTask;
  readonly all: readonly OrderedTask[];
}

/** The tasks, each after those that fill what it reads; first those that take long, or for which others wait. */
function registerTasks(assembly: Assembly, open: LaneTask): RegisterTasks {
  const { nep, places, stage, awards: linked } = assembly;
  const tables = new Map(
    STAGED_TABLES.map((table) => [table.name, task((lane) => openStaged(on(assembly, lane), table))]),
  );
  const table = (name: string): OrderedTask => entryOf(tables, name);

  const units = task(statement(warehouseSql('served-units.sql', UNIT_NUMBERS)), table('einheit'), table('geloescht'));
  const windNames = task(statement(windNameStatements()), table('einheit'));
  // Findings of both stand in the order of these two.
  const awards = task(
    linked === undefined
      ? (lane) => linkAwards({ ...on(assembly, lane), stage })
      : statement(warehouseSql('awards-linked.sql', linked)),
    ...[units, windNames, table('eeg'), table('kwk')],
  );
  const grid = task(
    statement(warehouseSql('lookups.sql')),
    ...['akteur', 'lokation', 'punkt', 'bilanzierungsgebiet'].map(table),
  );
  const history = task(open);
  return {
    ...{ table, units, grid, awards },
    all: [
      ...tables.values(),
      units,
      grid,
      windNames,
      awards,
      history,
      task(statement(warehouseSql('reference-totals.sql')), units, table('lokation')),
      task(statement(placeStatements(places).join('\n')), units, history),
      task(statement(nep === null ? warehouseSql('no-nep.sql') : warehouseSql('nep.sql', { file: literal(nep) }))),
    ],
  };
}

/** The tasks for the units that are joined. */
function unitTasks(assembly: Assembly, { table, units, grid, awards }: RegisterTasks): OrderedTask[] {
  const { stage, self } = assembly;
  const plants = task((lane) => findSharedPlants(lane, stage), units, table('eeg'));
  const references = task(statement(warehouseSql('references.sql')), grid, plants);
  return [
    plants,
    task(statement(warehouseSql('sites.sql')), units, grid),
    task(statement(warehouseSql('storage-plants.sql')), units, table('speicher')),
    references,
    task((lane) => supportAcrossSlices({ ...on(assembly, lane), day: self.exportDay }), references, awards),
    task((lane) => nameNumbers(on(assembly, lane)), units),
    task((lane) => findMisplaced(lane, stage), units),
    task(statement(warehouseSql('twin-units.sql', { samePointM: SAME_POINT_M })), units),
  ];
}
