import type { Body, Get } from './client.ts';
import type { Random } from './random.ts';
import type { Sample } from './sample.ts';

/** The questions that are measured: each is sent to the service as requests and to PostgreSQL as statements. */

/** A row as PostgreSQL answers it: its names are in small letters. */
export type Row = Readonly<Record<string, unknown>>;

/** A statement with `$1`, `$2` … for its values. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** One request, and the statements with the same result. */
export interface BenchRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status; by default 200. */
  readonly status?: 304;
  /**
   * One after the other, all of them timed together, over what was counted beforehand where the service reads what was;
   * none where the question has no equivalent.
   */
  readonly sql: readonly Sql[];
  /** The same over the rows alone, with the total of every page, where that is anything else. */
  readonly plainSql?: readonly Sql[];
  /**
   * The values in which both answers must agree, as pairs.
   * @param body the service's answer
   * @param rows what each of the statements found
   */
  readonly pairs: (body: Body, rows: readonly (readonly Row[])[]) => Pairs;
}

/** A comparison: its name, the value from the service, the value from PostgreSQL. */
export type Pairs = readonly (readonly [what: string, ours: unknown, theirs: unknown])[];

/** Milliseconds. */
export interface Aims {
  readonly p50: number;
  readonly p99: number;
}

/** A row of the table of measurements. */
export interface Question {
  /** For the command line, e.g. `units-first`. */
  readonly id: string;
  readonly name: string;
  readonly aims: Aims;
  /** Varied requests without end. What is only preparation is asked with `get` and not measured. */
  readonly requests: (sample: Sample, random: Random, get: Get) => AsyncGenerator<BenchRequest, never, void>;
}

/** Requests that do not depend on each other. */
export const independent = (request: (sample: Sample, random: Random) => BenchRequest): Question['requests'] =>
  async function* (sample, random) {
    for (;;) yield request(sample, random);
  };

/** Takes values and gives their places `$1`, `$2` …. */
export function bindings() {
  const values: unknown[] = [];
  return { values, bind: (value: unknown): string => `$${values.push(value)}` };
}

export type Bind = ReturnType<typeof bindings>['bind'];

/** A condition on a row, in SQL. */
export type Condition = (bind: Bind) => string;

/** All of them, bound. */
export const bound = (conditions: readonly Condition[], bind: Bind): string[] =>
  conditions.map((condition) => condition(bind));
