import { copyFileSync } from 'node:fs';
import type { WarehouseConnection } from '../../../ingest/duckdb/connection.ts';

type Answer = { readonly sql: string; readonly rows: unknown[] } | { readonly sql: string; readonly pairs: Pair[] };
type Pair = readonly [first: string, second: string];

/**
 * Records the engine of one build, and stands in for it in further builds of the same version: their queries get the
 * answers of the first, statements do nothing, and closing puts the file that the first build wrote. What such a build
 * does beside its engine is real.
 */
export class Recording {
  readonly #file: string;
  readonly #answers: Answer[] = [];
  #engineVersion = '';
  #finished = false;

  /** @param file keeps the database file of the recorded build */
  constructor(file: string) {
    this.#file = file;
  }

  /** Ends the recording: engines that are opened from now on repeat it. */
  finish(): void {
    this.#finished = true;
  }

  async open(path: string, openEngine: () => Promise<WarehouseConnection>): Promise<WarehouseConnection> {
    if (this.#finished) return this.#repeat(path);
    const engine = await openEngine();
    this.#engineVersion = engine.engineVersion;
    return {
      ...engine,
      rows: async <T>(sql: string) => {
        const rows = await engine.rows<T>(sql);
        this.#answers.push({ sql, rows });
        return rows;
      },
      pairs: async (sql, take) => {
        const pairs: Pair[] = [];
        await engine.pairs(sql, (...pair) => {
          pairs.push(pair);
          take(...pair);
        });
        this.#answers.push({ sql, pairs });
      },
      close: () => {
        engine.close();
        copyFileSync(path, this.#file);
      },
    };
  }

  #repeat(path: string): WarehouseConnection {
    let next = 0;
    const answerTo = (sql: string): Answer => {
      const answer = this.#answers[next++];
      if (answer?.sql !== sql) throw new Error(`The recorded build did not ask here: ${sql}`);
      return answer;
    };
    return {
      engineVersion: this.#engineVersion,
      run: async () => {},
      append: async () => {},
      rows: async <T>(sql: string) => {
        const answer = answerTo(sql);
        if (!('rows' in answer)) throw new Error(`The recorded build asked for pairs: ${sql}`);
        return answer.rows as T[];
      },
      pairs: async (sql, take) => {
        const answer = answerTo(sql);
        if (!('pairs' in answer)) throw new Error(`The recorded build asked for rows: ${sql}`);
        for (const pair of answer.pairs) take(...pair);
      },
      close: () => copyFileSync(this.#file, path),
    };
  }
}
