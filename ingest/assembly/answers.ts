import { entryOf } from '../../runtime/present.ts';
import { OF_SELDOM, type Projection } from '../../sql/catalogue/projections.ts';
import { COUNTED_UNITS } from '../../sql/query/groups.ts';
import type { NumberRange } from '../../sql/register/mastr-number.ts';
import { projectionStatements } from '../../sql/warehouse/duckdb/projections.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { FinishedUnits, ReplacedUnits } from '../destination/destination.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import { countByDifference, rollupStatements } from './by-difference.ts';
import { countStatements } from './count.ts';
import { fillCourse } from './course.ts';
import { type LaneTask, type OrderedTask, runOrdered, statement, task } from './lanes.ts';
import { fillOrders } from './orders.ts';
import { fillRegionDays } from './region-days.ts';
import { openRows, type Rows } from './rows.ts';
import { openSearch, type Search } from './search.ts';
import { conspicuousRows, locationRows } from './unit-rows.ts';

/**
 * The share of its memory that the engine has from here on: the row file and the search index are made outside of it, beside sorts,
 * and what they leave behind stays with the process.
 */
const BESIDE_OTHERS = 0.55;

/** The files that answers are read from beside the tables. */
export interface AnswerFiles {
  /** The values of every unit. */
  readonly rows: string;
  readonly search: string;
  /** The orders of units. */
  readonly orders: string;
  readonly regionDays: string;
}

interface FilesToFill extends FinishedUnits {
  readonly files: AnswerFiles;
  /** Number of the build. */
  readonly sequence: number;
  /** The files of the version attached as `previous_version`; null when there is none. */
  readonly filesBefore: AnswerFiles | null;
  /** Memory of the engine, MB. */
  readonly memoryMb: number;
  /** These tasks are done on the lanes as well. */
  readonly beside: readonly OrderedTask[];
}

/** Fills what answers are read from, out of the finished units: tables, row file and search index, side by side on lanes. */
export async function fillAnswers(finished: FilesToFill): Promise<void> {
  const { warehouse, lanes, files, progress } = finished;
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM units'));
  const units = Number(n);
  const rows = await openRows({
    path: files.rows,
    units,
    sequence: finished.sequence,
    before: finished.filesBefore?.rows ?? null,
    engineVersion: warehouse.engineVersion,
    changed: finished.replaced?.rows ?? null,
    appended: () => {},
    note: (text) => progress.note(text),
  });
  const search = openSearch({ path: files.search, units, slices: finished.slices, since: merged(finished, 'search') });
  const tasks = answerTasks(finished, { units, rows, search });
  progress.stage('answers', tasks.length, 'tasks');
  try {
    // A night holds which rows are deleted in memory, and makes little beside the engine.
    if (finished.replaced === undefined) await warehouse.limitMemory(Math.floor(finished.memoryMb * BESIDE_OTHERS));
    await runOrdered(lanes, tasks, () => progress.advance(1));
    await fillCourse(warehouse, finished.sequence, await rows.finish(warehouse));
  } catch (error) {
    search.abort();
    await rows.abort();
    throw error;
  }
}

/** The units that were replaced, with a file of the version before; null where tables and files are made from nothing. */
const merged = ({ replaced, filesBefore }: FilesToFill, file: keyof AnswerFiles) =>
  replaced === undefined || filesBefore === null ? null : { ...replaced, before: filesBefore[file] };

interface Answers {
  readonly units: number;
  readonly rows: Rows;
  readonly search: Search;
}

/**
 * The tasks, first those for which others wait, last the small ones: while a long one runs, the other lanes always have
 * slices of the row file to write.
 */
function answerTasks(finished: FilesToFill, { units, rows, search }: Answers): OrderedTask[] {
  const { files, slices, replaced } = finished;
  const { byNumber, sorted, rollups, others } = unitTableTasks(replaced);
  const searchUnits = task(search.addUnits);
  const organisations = task(statement(warehouseSql('organisations.sql')), byNumber);
  const rowsOf =
    (range: NumberRange): LaneTask =>
    (lane) =>
      rows.addSlice(lane, range);
  const tasks = [
    byNumber,
    searchUnits,
    organisations,
    task(search.finish, searchUnits, organisations),
    rollups,
    ...sorted.values(),
    task(
      (lane) =>
        fillOrders({ warehouse: lane, path: files.orders, units, slices, replaced: merged(finished, 'orders') }),
      ...sorted.values(),
    ),
    task((lane) => fillRegionDays(lane, files.regionDays, merged(finished, 'regionDays')?.before ?? null), rollups),
    ...finished.beside,
    ...others,
    ...sliceRanges(slices).map((range) => task(rowsOf(range))),
  ];
  // One may stand for several.
  return [...new Set(tasks)];
}

/** The tasks that make the tables of units, by what others wait for. */
interface UnitTableTasks {
  readonly byNumber: OrderedTask;
  readonly sorted: ReadonlyMap<Projection, OrderedTask>;
  readonly rollups: OrderedTask;
  readonly others: readonly OrderedTask[];
}

/** @param replaced where sums are those of the version before, the units in which they differ */
function unitTableTasks(replaced: ReplacedUnits | undefined): UnitTableTasks {
  const projections = projectionStatements({
    replaced: replaced === undefined ? undefined : { ...replaced, before: 'previous_version' },
  });
  const types = task(statement(projections.types));
  const byNumber = task(statement(projections.byNumber), types);
  const sorted = new Map([...projections.sorted].map(([table, text]) => [table, task(statement(text), byNumber)]));
  const counted = entryOf(sorted, COUNTED_UNITS);
  const others = [
    types,
    task(statement(conspicuousStatement()), entryOf(sorted, OF_SELDOM)),
    task(statement(locationsStatement())),
  ];
  if (replaced !== undefined) {
    const rollups = task((lane) => countByDifference(lane, replaced), counted);
    return { byNumber, sorted, rollups, others };
  }
  const counts = countStatements().map((text) => task(statement(text), counted));
  return { byNumber, sorted, rollups: task(statement(rollupStatements()), types), others: [...others, ...counts] };
}

/** The statement that makes the table of conspicuous units from the projection that has all of them. */
export const conspicuousStatement = (): string =>
  `CREATE TABLE units_auffaellig AS ${conspicuousRows('units', OF_SELDOM)}`;

/** The statement that makes the table of what stands at one location. */
export const locationsStatement = (): string => `CREATE TABLE standorte AS ${locationRows('units')}`;
