import { z } from 'zod';
import { mastrBits, unitNumberOf } from '../register/mastr-number.ts';
import { type Condition, conditionSql } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';
import { matchingUnitsSql, type SearchWord } from './suche.ts';
import { withToday } from './units.ts';

/**
 * Statements that compare a version with an earlier one, and ask many questions at once about the units that have changed.
 * Units are the digits of their numbers here, which take eight bytes and keep the order.
 */

/** A unit and its signals, one bit each. */
export const signalsRow = z.strictObject({ digits: z.number(), signals: z.number() });

/**
 * Selects units whose content is newer than a build, by number, as rows of signalsRow.
 * @param since number of the build
 * @param after digits of the last unit already read; -1 = from the beginning
 */
export function changedSinceStatement(
  since: number,
  after: number,
  limit: number,
  { projections }: ProjectionDialect,
): WarehouseStatement {
  const values = binder();
  const isLater = `${projections.unitNumber} > ${projections.numberBits(unitNumberOf(Math.max(after, 0)), values)}`;
  const text = `SELECT ${unitAndSignals(projections.unitNumber, projections)}
FROM units_by_number AS units
WHERE units.inhaltSeit > ${values.bind(since)}${after < 0 ? '' : ` AND ${isLater}`}
ORDER BY ${projections.unitNumber} LIMIT ${values.bind(limit)}`;
  return { text, values: values.values };
}

/** The units that statements ask about, prepared once for all statements. */
export interface AskedUnits {
  readonly first: string;
  readonly last: string;
  /** The MaStR numbers as 64 bits. */
  readonly bits: readonly string[];
}

/** @param digits in ascending order, at least one */
export function askedUnits(digits: readonly number[]): AskedUnits {
  const [first, last] = [digits[0], digits.at(-1)];
  if (first === undefined || last === undefined) throw new Error('There are no units to ask about');
  const letters = mastrBits(unitNumberOf(0));
  return {
    first: unitNumberOf(first),
    last: unitNumberOf(last),
    bits: digits.map((one) => String(letters + BigInt(one))),
  };
}

/** Selects those of the units that the version serves, as rows of signalsRow, in no order. */
export function servedStatement(units: AskedUnits, { projections }: ProjectionDialect): WarehouseStatement {
  const values = binder();
  const text = `SELECT ${unitAndSignals(projections.unitNumber, projections)}
FROM units_by_number AS units
WHERE ${isAmong(projections.unitNumber, units, projections, values)}`;
  return { text, values: values.values };
}

/**
 * Selects those of the units that an earlier version served and this one serves with other content, by what this one
 * keeps of former rows: as rows of signalsRow, in no order.
 * @param build number of the earlier version
 */
export function formerlyServedStatement(
  asked: AskedUnits,
  build: number,
  { units }: { readonly units: Dialect },
): WarehouseStatement {
  const values = binder();
  const at = values.bind(build);
  const text = `SELECT ${unitAndSignals(units.unitNumber, units)}
FROM units_ersetzt AS units
WHERE units.inhaltSeit <= ${at} AND units.ersetztSeit > ${at}
  AND ${isAmong(units.unitNumber, asked, units, values)}`;
  return { text, values: values.values };
}

interface ProjectionDialect {
  readonly projections: Dialect;
}

const unitAndSignals = (number: string, dialect: Dialect): string =>
  `${dialect.numberDigits(number)} AS digits, ${dialect.toJson('signals', 'units.signals')} AS signals`;

/** The number of questions whose answers fit into one number, so that adding them up cannot overflow an integer. */
const BITS = 30;

/** The answers about a unit: its digits, then the numbers that hold the answers. */
export const answersRow = z.record(z.string(), z.number());

export type Answers = z.infer<typeof answersRow>;

/**
 * Asks many questions about the same units in one pass, as rows of answersRow in the order of their numbers; a unit for
 * which no question holds has none. `holdingOf` reads them.
 * @param questions each one or more conditions without free text, which all have to hold
 */
export function questionsStatement(
  units: AskedUnits,
  questions: readonly (readonly Condition[])[],
  today: string,
  { projections }: ProjectionDialect,
): WarehouseStatement {
  const values = binder();
  const holds = questions.map((conditions) =>
    conditions.map((condition) => conditionSql(condition, projections, values)).join(' AND '),
  );
  const lines = [
    // A block of the register has a few of these units at most. Put together they take a tenth of the time.
    'WITH asked AS MATERIALIZED (',
    `  SELECT * FROM units_by_number AS units WHERE ${isAmong(projections.unitNumber, units, projections, values)}`,
    ')',
    'SELECT * FROM (',
    `  SELECT ${projections.numberDigits(projections.unitNumber)} AS digits,\n    ${answerColumns(holds)}`,
    '  FROM asked AS units',
    ') AS answers',
    `WHERE ${hasAnswers(holds.length)}`,
    'ORDER BY digits',
  ];
  return withToday(lines, values.values, today, projections);
}

const answerName = (place: number): string => `answers${place}`;

/** The columns with the answers to questions. @param questions conditions */
export function answerColumns(questions: readonly string[]): string {
  const answers: string[] = [];
  for (let from = 0; from < questions.length; from += BITS) {
    const bits = questions
      .slice(from, from + BITS)
      .map((holds, bit) => `CASE WHEN ${holds} THEN ${2 ** bit} ELSE 0 END`);
    answers.push(`CAST(${bits.join('\n    + ')} AS DOUBLE) AS ${answerName(answers.length)}`);
  }
  return answers.join(',\n    ');
}

/** The condition that one of so many questions holds. */
export const hasAnswers = (questions: number): string =>
  Array.from({ length: Math.ceil(questions / BITS) }, (_, place) => `${answerName(place)} > 0`).join(' OR ');

/** Returns the questions that hold for a unit, by their places. */
export function holdingOf(answers: Answers): number[] {
  const holding: number[] = [];
  for (let place = 0; ; place++) {
    let bits = answers[answerName(place)];
    if (bits === undefined) return holding;
    while (bits !== 0) {
      const highest = 31 - Math.clz32(bits);
      holding.push(place * BITS + highest);
      bits -= 2 ** highest;
    }
  }
}

/** A unit that has the word. */
export const foundRow = z.strictObject({ digits: z.number() });

/**
 * Selects those of the units that have a word, as rows of foundRow, in no order; a unit may come more than once. Of several
 * words each is asked alone: the engine would keep every unit that has one of them to look for the other.
 * @returns null when every unit has it
 */
export function wordAmongStatement(
  units: AskedUnits,
  word: SearchWord,
  { projections }: ProjectionDialect,
): WarehouseStatement | null {
  const values = binder();
  const matching = matchingUnitsSql([word], projections, values);
  if (matching === null) return null;
  const text = `SELECT ${projections.numberDigits('matching.nummer')} AS digits
FROM (${matching}) AS matching
WHERE ${isAmong('matching.nummer', units, projections, values)}`;
  return { text, values: values.values };
}

/** The bounds let the engine skip the blocks in which none of the units is. */
export const isAmong = (number: string, { first, last, bits }: AskedUnits, dialect: Dialect, values: Binder): string =>
  `${number} BETWEEN ${dialect.numberBits(first, values)} AND ${dialect.numberBits(last, values)}
  AND ${dialect.isOneOfBits(number, bits, values)}`;
