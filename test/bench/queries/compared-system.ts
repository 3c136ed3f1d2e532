import type { Subject } from '../support/subject.ts';
import type { Body } from './client.ts';
import type { BenchRequest } from './question.ts';

/** A system that gets the same requests in the same run as the service over DuckDB: a column of the table of measurements. */
export interface ComparedSystem {
  /** Head of its column. */
  readonly name: string;
  /** One line about the measurement. */
  readonly described: string;
  /** Prepares it, so that no request waits for the disk. */
  ready(): Promise<void>;
  /** @throws Error when it does not answer */
  send(request: BenchRequest): Promise<ComparedAnswer>;
  /** The service that many clients can call, once it is ready; null where there is none. */
  service(): Subject | null;
  stop(): Promise<void>;
}

interface ComparedAnswer {
  readonly milliseconds: number;
  /** The part for the first of several statements: a page without its total. */
  readonly firstMilliseconds: number;
  /** In what it differs from the answer of the service over DuckDB. */
  differences(body: Body): string[];
}
