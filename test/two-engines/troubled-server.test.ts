import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clickhouseTarget } from '../../ingest/publication/clickhouse.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { clickhouseAddress } from '../../runtime/clickhouse-address.ts';
import { ONE_SERVER } from '../../sql/warehouse/clickhouse/placement.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { publishRegister } from '../support/built.ts';
import { drawn } from '../support/cases.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { folderOfTests } from '../support/exports.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** A server that is killed while a version is loaded, that hangs, and that has too much to do. */

const VERSION = '20261101-0001';

/** The step that is under way when the server is killed. */
const STEPS = ['ClickHouse: tables', 'ClickHouse: units', 'ClickHouse: marktakteure', 'ClickHouse: check'];

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');

describe('a server in trouble', () => {
  let server: ClickHouseServer;
  let service: OwnSubject;
  /** Of the warehouse that was loaded last. */
  let prefix: string;

  beforeAll(async () => {
    server = await startClickHouse(join(folder.path, 'server'));
    await publishRegister(warehouse);
  });

  afterAll(async () => {
    await service?.stop();
    await server?.stop();
    folder.remove();
  });

  // Before a version is complete, every table on the server is compared with the file.
  test.each(drawn(STEPS, 1))(
    'one that is killed in the middle of a load is waited for, and nothing is lost or twice: %s',
    async (step) => {
      prefix = `energy_${STEPS.indexOf(step)}`;
      const notes: string[] = [];
      let restart: Promise<void> | undefined;
      const progress = {
        ...silentProgress,
        note: (text: string) => void notes.push(text),
        stage(name: string) {
          if (name === step) restart ??= server.kill().then(() => server.restart());
        },
      };
      const target = clickhouseTarget(warehouse, {
        address: clickhouseAddress(server.warehouse('energy_loader', prefix)),
        placement: ONE_SERVER,
        policy: { firstPauseMs: 100, longestPauseMs: 500, maxElapsedMs: 300_000 },
      });
      await target.load(VERSION, { folder: join(folder.path, 'work'), memoryMb: 300, progress });
      await target.publish(VERSION, 'build');
      await target.close();
      await restart;
      expect(notes.filter((note) => /asking again$/.test(note))).not.toEqual([]);
      const units = `${databaseOf(prefix, VERSION)}.units`;
      expect(await server.run(`SELECT count(), uniqExact(nummer) FROM ${units} FORMAT CSV`)).toMatch(/^(\d+),\1\n$/);
    },
    600_000,
  );

  test('health says when one hangs; a request that it met so is answered when it goes on', async () => {
    service = await serve(warehouse, { WAREHOUSE_URL: server.warehouse('energy_reader', prefix) });
    const health = async () => (await service.get('/v1/health')).status;
    await vi.waitFor(async () => expect(await health()).toBe(200), { timeout: 60_000 });
    server.pause();
    const asked = service.get('/v1/units?limit=2&leistungMinKw=0.7');
    await vi.waitFor(async () => expect(await health()).toBe(503), { timeout: 60_000 });
    server.resume();
    expect((await asked).status).toBe(200);
    await vi.waitFor(async () => expect(await health()).toBe(200), { timeout: 60_000 });
  });

  test('boards that take all they may in a minute are refused, and the service is answered', async () => {
    const second = 'SELECT sleepEachRow(1) FROM numbers(20) SETTINGS max_block_size = 1';
    let refusal = '';
    // The rest of a minute may be used up in the next one only.
    const occupy = async () => {
      while (refusal === '')
        await server.run(second, 'energy_board').catch(({ message }: Error) => {
          refusal ||= message;
        });
    };
    await Promise.all(Array.from({ length: BOARD_STATEMENTS }, occupy));
    expect(refusal).toMatch(/energy_board.*QUOTA_EXCEEDED/);
    expect((await service.get('/v1/units?limit=2&leistungMinKw=0.71')).status).toBe(200);
  });

  test('one with as many statements of its user as that may have is 503, and recovers', async () => {
    const long = 'SELECT sleepEachRow(1) FROM numbers(25) SETTINGS max_block_size = 1';
    let isOver = false;
    // The service looks at the pointer meanwhile: whoever it takes the place of tries again.
    const occupy = async () => {
      for (; !isOver; await sleep(50)) await server.run(long, 'energy_reader').catch(() => {});
    };
    const running = Array.from({ length: MOST_STATEMENTS + 2 }, occupy);
    // Answers that were given are kept.
    let turn = 0;
    const ask = () => service.get(`/v1/units?limit=2&leistungMinKw=0.${800 + ++turn}`);
    const busy = await vi.waitUntil(async () => [await ask()].find(({ status }) => status !== 200), {
      timeout: 60_000,
    });
    expectProblem(busy, 503, 'SERVICE_UNAVAILABLE');
    isOver = true;
    await server.run(`KILL QUERY WHERE user = 'energy_reader' AND query LIKE '%sleepEachRow%' SYNC`);
    await Promise.all(running);
    expect((await ask()).status).toBe(200);
  });
});

/** As users.sql has it for the reading user and that of the boards (max_concurrent_queries_for_user). */
const MOST_STATEMENTS = 64;
const BOARD_STATEMENTS = 16;
