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
  /** Returns whether it has an equivalent of the request. */
  canAnswer(request: BenchRequest): boolean;
  /** @throws Error when it does not answer */
  send(request: BenchRequest): Promise<ComparedAnswer>;
  /** Milliseconds of the same without what was counted beforehand, `plainSql`; null where there is no such difference. */
  sendPlain: ((request: BenchRequest) => Promise<number>) | null;
  /** Starts it anew without its files in memory, and returns them; null where that is not measured. */
  restartCold: (() => Promise<readonly string[]>) | null;
  /** The service that many clients can call, once it is ready; null where there is none. */
  service(): Subject | null;
  stop(): Promise<void>;
}

interface ComparedAnswer {
  readonly milliseconds: number;
  /** In what it differs from the answer of the service over DuckDB. */
  differences(body: Body): string[];
}
