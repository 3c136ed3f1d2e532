import { z } from 'zod';
import { itemAt } from '../../runtime/present.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { HeldRow } from '../../sql/query/history.ts';
import { asOf, STATES, stateDialect } from '../../sql/query/state.ts';
import { type FaultLocation, violated } from '../problem/problem.ts';
import type { UnitReader, VersionReader } from '../warehouse/version.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { type Notation, queryNotation } from '../wire/notation.ts';
import { endedRows, heldBy } from './former.ts';

/** The state of an earlier day: answers are made as ever, from the units that the version of that day had. */

export const standParameter = (notation: Notation) =>
  notation
    .calendarDay()
    .optional()
    .describe(
      'The state as it was published on that day, in place of the present one; ages and windows count to that day',
    );

/**
 * Refuses conditions that only the present state can be asked by.
 * @throws Problem INVALID_PARAMETER
 */
export function mustHoldAt(stand: string | undefined, conditions: readonly Condition[], notation: Notation): void {
  if (stand === undefined || !conditions.some(({ filter }) => filter.compare === 'search')) return;
  const detail = 'suche finds units as they are today, so it cannot be asked of another day';
  throw violated([{ ...notation.location('suche'), code: 'INVALID_PARAMETER', detail }]);
}

/** A version whose state can be told. */
const stateRow = z.strictObject({ version: z.string(), build: z.int(), day: z.string() });

export type State = z.infer<typeof stateRow>;

/** Reads the versions whose state can be told, oldest first: none where an earlier release built the version. */
export async function statesOf(
  version: Pick<VersionReader, 'query' | 'tables'> & Partial<Pick<VersionReader, 'kept'>>,
): Promise<readonly State[]> {
  if (!version.tables.has(STATES)) return [];
  return (version.kept ?? version.query)(stateRow, {
    text: `SELECT version, sequence AS build, CAST(exportDay AS VARCHAR) AS day FROM ${STATES} ORDER BY sequence`,
    values: {},
  });
}

/**
 * Finds the version that was published last of those whose export is not younger than a day.
 * @throws Problem INVALID_PARAMETER for a day before the first version, and for one that is still to come
 */
export function stateOn(
  states: readonly State[],
  day: string,
  today: string,
  location: FaultLocation = { parameter: 'stand' },
): State {
  const refuse = (detail: string) =>
    violated([{ ...location, code: 'INVALID_PARAMETER', detail: `${nameOf(location)} ${detail}` }]);
  if (day > today) throw refuse(`lies in the future: today is ${today}`);
  const found = states.findLast((state) => state.day <= day);
  if (found !== undefined) return found;
  const [first] = states;
  throw refuse(
    first === undefined
      ? 'asks for an earlier state, which the version that is served does not know yet: the next night brings it'
      : `lies before the first state that is known, which is of ${first.day}`,
  );
}

const nameOf = (location: FaultLocation): string => ('parameter' in location ? location.parameter : 'stand');

/** The member of `meta` tells which state answers. */
export const stateShape = {
  stand: z
    .strictObject({ version: z.string(), tag: z.iso.date().describe('Day of its export') })
    .meta({ id: 'AnsweringState' })
    .optional()
    .describe('With `stand`: the version whose state answers, the last one of that day or before'),
};

/** What a question reads: the served version today, or the state of another day. */
export interface Moment {
  readonly version: Dataset;
  readonly today: string;
  /** Null: the served version. */
  readonly state: State | null;
  /** Day of the export of the state; undefined with the served version. */
  readonly asOf: string | undefined;
  readonly stateMeta: z.infer<z.ZodObject<typeof stateShape>>;
}

/**
 * Returns what a question with or without `stand` reads.
 * @throws Problem like stateOn
 */
export async function momentOf(
  stand: string | undefined,
  { dataset, today }: { dataset(): Dataset; readonly today: string },
  notation: Notation = queryNotation,
): Promise<Moment> {
  const version = dataset();
  if (stand === undefined) return { version, today, state: null, asOf: undefined, stateMeta: {} };
  const state = stateOn(await statesOf(version), stand, today, notation.location('stand'));
  const stateMeta = { stand: { version: state.version, tag: state.day } };
  return { version: datasetAt(version, state.build), today: stand, state, asOf: state.day, stateMeta };
}

/** The dataset as the version of a build had it. */
export function datasetAt(dataset: Dataset, build: number): Dataset {
  if (build === dataset.publication.sequence) return dataset;
  const dialect = stateDialect(dataset.dialects.units);
  return {
    ...dataset,
    dialects: { units: dialect, projections: dialect },
    query: (shape, statement) => dataset.query(shape, asOf(statement, build, dialect)),
    kept: (shape, statement) => dataset.kept(shape, asOf(statement, build, dialect)),
    total: (statement) => dataset.total(asOf(statement, build, dialect)),
    units: unitsAt(dataset, build),
    search: null,
    orders: null,
    regionDays: null,
  };
}

/** Units as a build had them: most are as they are today, and others are found among their former rows. */
function unitsAt(dataset: Dataset, build: number): UnitReader {
  /** The row that a unit had; undefined where it always was as it is, null where it was not there. */
  const rowAt = (rows: readonly HeldRow[] | undefined): HeldRow | null | undefined =>
    rows && (rows.find(({ since, until }) => since <= build && (until === null || until > build)) ?? null);
  return {
    listed: null,
    async existing(numbers) {
      const held = await heldBy(numbers, dataset);
      const asToday = await dataset.units.existing(numbers.filter((number) => !held.has(number)));
      return new Set(numbers.filter((number) => asToday.has(number) || rowAt(held.get(number)) != null));
    },
    async read(numbers, columns) {
      const [served, held] = await Promise.all([
        dataset.units.read(numbers, new Set([...columns, 'mastrNummer', 'bruttoleistungKw'])),
        heldBy(numbers, dataset),
      ]);
      const present = new Map(numbers.map((number, index) => [number, itemAt(served, index)]));
      const changed = [...held].filter(([, rows]) => rowAt(rows)?.until != null);
      const ended = await endedRows(new Map(changed), present, dataset);
      return numbers.map((number) => {
        const row = rowAt(held.get(number));
        if (row === null) return null;
        if (row === undefined || row.until === null) return present.get(number) ?? null;
        return ended.get(number)?.find(({ end }) => end === row.until)?.texts ?? null;
      });
    },
  };
}
