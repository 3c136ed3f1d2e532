import { stat } from 'node:fs/promises';
import { mock } from 'node:test';
import { openDuckdbTables } from '../../api/warehouse/duckdb/version.ts';
import { openReadWrite } from '../../ingest/duckdb/connection.ts';

/**
 * Closes engines while statements run, once more often than a process has threads for native work, and then asks for something
 * that needs such a thread. Prints a line when it is answered.
 */

const [, , what = '', path = ''] = process.argv;
const TIMES = 5;
const SLOW = 'SELECT count(*) AS n FROM range(3000000) AS a (i) WHERE hash(i) % 7 = 1';
const limits = { memoryMb: 16, threads: 1, temporaryFolder: '' };
const meter = { statementEnded: () => {}, unitsRead: () => {} };

const closeWhile: Readonly<Record<string, () => Promise<void>>> = {
  /** A process that has grown large gives back freed memory every second. */
  async 'memory is given back'() {
    const engine = await openReadWrite(':memory:', limits);
    mock.timers.tick(1000);
    await engine.close();
  },
  async 'a build has failed beside'() {
    const engine = await openReadWrite(':memory:', { ...limits, memoryMb: 200 });
    const other = await engine.another();
    for (const one of [engine, other]) one.rows(SLOW).catch(() => {});
    await engine.close();
  },
  async 'a request has failed beside'() {
    const { query, close } = await openDuckdbTables(path, { memoryMb: 100, threads: 1 }, meter, 2);
    const { z } = await import('zod');
    const ended = [1, 2, 3].map(() => query(z.unknown(), { text: SLOW, values: {} }));
    close();
    await Promise.all(ended);
  },
};

if (what === 'memory is given back') mock.timers.enable({ apis: ['setInterval'] });
const large = Buffer.alloc(400 * 1024 * 1024, 1);
for (let time = 0; time < TIMES; time++) await closeWhile[what]?.();
await stat('.');
process.stdout.write(`answered, with ${large.length} bytes held\n`);
