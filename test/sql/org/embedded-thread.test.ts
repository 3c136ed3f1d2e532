import { existsSync, truncateSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readSettings } from '../../../runtime/settings.ts';
import { StoreRefused, StoreUnavailable } from '../../../sql/org/driver.ts';
import { sql } from '../../../sql/org/statement.ts';
import { type OrgStore, openOrgStore } from '../../../sql/org/store.ts';
import { preparedStore } from '../../support/prepared-store.ts';

/** An embedded store on a thread of its own: what is different from one on the thread that asks. */

const numbered = z.strictObject({ n: z.int() });
const one = sql`SELECT 1 AS n`;

let store: OrgStore | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

/** Opens a store; `threads` has its thread, and those that follow it. */
async function open(url: string): Promise<{ store: OrgStore; threads: Worker[]; said: string[] }> {
  const threads: Worker[] = [];
  const said: string[] = [];
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line);
    // The copy of a prepared store is open to others, which is a warning.
    if (level !== pino.levels.values.warn) said.push(msg);
  };
  const log = pino({ level: 'info' }, { write });
  process.on('worker', (thread) => threads.push(thread));
  store = await openOrgStore(readSettings({ ORG_STORE_URL: url }), log, { thread: 'own' });
  return { store, threads, said };
}

afterEach(() => process.removeAllListeners('worker'));

const kill = (threads: readonly Worker[]): Promise<number> => threads.at(-1)!.terminate();

describe('a thread that ends', () => {
  it('while nothing runs: the next statement is refused, the one after it is answered by a new thread', async () => {
    const { store, threads, said } = await open(await preparedStore());
    await store.autocommit(z.unknown(), sql`INSERT INTO job_runs (job, ran_at, took_ms) VALUES ('before', now(), 7)`);
    await kill(threads);
    await expect(store.autocommit(numbered, one)).rejects.toThrow(StoreUnavailable);
    expect(await store.autocommit(numbered, sql`SELECT took_ms AS n FROM job_runs`)).toEqual([{ n: 7 }]);
    expect(threads).toHaveLength(2);
    expect(said).toEqual([
      'the organisation store has lost its files; it is opened anew',
      'the organisation store was opened anew',
    ]);
  });

  it('in a transaction: what waits is refused, and nothing of it is kept', async () => {
    const { store, threads } = await open(await preparedStore());
    const work = store.asOperator(async (session) => {
      await session.run(sql`INSERT INTO job_runs (job, ran_at, took_ms) VALUES ('half', now(), 7)`);
      const waiting = store.autocommit(numbered, one);
      void kill(threads);
      await expect(waiting).rejects.toThrow(StoreUnavailable);
      await session.run(sql`INSERT INTO job_runs (job, ran_at, took_ms) VALUES ('other half', now(), 7)`);
    });
    await expect(work).rejects.toThrow(StoreUnavailable);
    expect(await store.autocommit(numbered, sql`SELECT count(*) AS n FROM job_runs`)).toEqual([{ n: 0 }]);
  });

  it('because of an error: says which', async () => {
    const { store, threads, said } = await open(await preparedStore());
    // It is no question, so the thread stumbles over it.
    threads[0]!.postMessage(null);
    await expect(store.autocommit(numbered, one)).rejects.toThrow(StoreUnavailable);
    expect(said[0]).toBe('the thread of the organisation store failed');
    expect(await store.autocommit(numbered, one)).toEqual([{ n: 1 }]);
  });

  it('for good, when the store closes', async () => {
    const { store, threads } = await open(await preparedStore());
    await store.close();
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
    await expect(store.autocommit(numbered, one)).rejects.toThrow('The organisation store is closed');
  });
});

describe('what crosses between the threads', () => {
  it('an error of a statement with its code, and without values', async () => {
    const { store } = await open(await preparedStore());
    const failure = await store
      .autocommit(numbered, sql`SELECT ${'secret'}::text::integer AS n`)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '22P02', severity: 'ERROR' });
    expect(Object.keys(failure as object)).not.toContain('params');
  });

  it('what is thrown in a transaction, which is rolled back', async () => {
    const { store } = await open(await preparedStore());
    class Refused extends Error {}
    const work = store.asOperator(async (session) => {
      await session.run(sql`INSERT INTO job_runs (job, ran_at, took_ms) VALUES ('refused', now(), 7)`);
      throw new Refused();
    });
    await expect(work).rejects.toThrow(Refused);
    expect(await store.autocommit(numbered, sql`SELECT count(*) AS n FROM job_runs`)).toEqual([{ n: 0 }]);
  });

  it('why a store cannot be opened; its lock is released, and its thread has ended', async () => {
    const url = await preparedStore();
    const folder = url.slice('pglite:'.length);
    await (await open(url)).store.close();
    truncateSync(`${folder}/base/5/1259`);
    const threads: Worker[] = [];
    process.on('worker', (thread) => threads.push(thread));
    const failure = await open(url).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreRefused);
    expect((failure as Error).message).toContain('could not open critical system index');
    expect(existsSync(`${folder}.lock`)).toBe(false);
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  it('no statement after the end of its transaction', async () => {
    const { store } = await open(await preparedStore());
    const kept = await store.asOperator(async (session) => session);
    await expect(kept.row(numbered, one)).rejects.toThrow();
  });
});
