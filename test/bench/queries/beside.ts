import type { Subject } from '../support/subject.ts';
import type { Body } from './client.ts';
import type { Ask } from './question.ts';

/** Whoever is asked in the same run what the service over DuckDB was asked: a column of the table of measurements. */
export interface Beside {
  /** Head of its column. */
  readonly name: string;
  /** One line about the measurement. */
  readonly described: string;
  /** Gets ready to be asked: nothing waits for the disk afterwards. */
  ready(): Promise<void>;
  /** @throws Error when it does not answer */
  ask(ask: Ask): Promise<Told>;
  /** The service that many clients can ask, once it is ready; null where there is none. */
  service(): Subject | null;
  stop(): Promise<void>;
}

interface Told {
  readonly milliseconds: number;
  /** The part for the first of several statements: a page without its total. */
  readonly firstMilliseconds: number;
  /** In what it differs from the answer of the service over DuckDB. */
  differences(body: Body): string[];
}
