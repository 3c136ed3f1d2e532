import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openReadWrite } from '../../../ingest/duckdb/connection.ts';
import { sharedMemory } from '../../../ingest/duckdb/shared-memory.ts';
import { folderOfTests } from '../../support/exports.ts';

/** Statements side by side, one of which finds no memory left (ingest/duckdb/shared-memory.ts). */

const FULL = new Error('full');
const always = () => true;

/** A statement that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const statement = () => {
    begun++;
    return promise;
  };
  return { begun: () => begun, statement, resolve };
}

/** A statement that fails so many times before it ends. */
function failing(times: number) {
  let begun = 0;
  return {
    begun: () => begun,
    statement: () => (++begun > times ? Promise.resolve('done') : Promise.reject(FULL)),
  };
}

describe('a statement without memory', () => {
  it('is run again when the others have ended', async () => {
    const memory = sharedMemory();
    const other = held();
    const first = memory.run(other.statement, always);
    const { statement, begun } = failing(1);
    const second = memory.run(statement, always);
    await new Promise(setImmediate);
    expect(begun()).toBe(1);
    other.resolve('other');
    expect(await Promise.all([first, second])).toEqual(['other', 'done']);
    expect(begun()).toBe(2);
  });

  it('is alone then: others that follow wait for it', async () => {
    const memory = sharedMemory();
    const other = held();
    const first = memory.run(other.statement, always);
    const alone = held();
    let attempts = 0;
    const second = memory.run(() => (attempts++ === 0 ? Promise.reject(FULL) : alone.statement()), always);
    await new Promise(setImmediate);
    const next = held();
    const third = memory.run(next.statement, always);
    other.resolve('other');
    await new Promise(setImmediate);
    expect([alone.begun(), next.begun()]).toEqual([1, 0]);
    alone.resolve('alone');
    next.resolve('next');
    expect(await Promise.all([first, second, third])).toEqual(['other', 'alone', 'next']);
  });

  it('of two, each is run again alone', async () => {
    const memory = sharedMemory();
    const two = [failing(1), failing(1)];
    expect(await Promise.all(two.map(({ statement }) => memory.run(statement, always)))).toEqual(['done', 'done']);
    expect(await memory.run(() => Promise.resolve('later'), always)).toBe('later');
  });

  it('fails where it was alone from the beginning, and where it fails again', async () => {
    const memory = sharedMemory();
    const single = failing(1);
    await expect(memory.run(single.statement, always)).rejects.toBe(FULL);
    expect(single.begun()).toBe(1);
    const twice = [failing(2), failing(0)] as const;
    const results = await Promise.allSettled(twice.map(({ statement }) => memory.run(statement, always)));
    expect(results).toEqual([
      { status: 'rejected', reason: FULL },
      { status: 'fulfilled', value: 'done' },
    ]);
    expect(twice[0].begun()).toBe(2);
  });

  it('fails where a part of its work remains', async () => {
    const memory = sharedMemory();
    const other = held();
    const first = memory.run(other.statement, always);
    const { statement, begun } = failing(1);
    await expect(memory.run(statement, () => false)).rejects.toBe(FULL);
    expect(begun()).toBe(1);
    other.resolve('other');
    await first;
  });
});

describe('an engine with little memory', () => {
  const folder = folderOfTests();
  afterAll(() => folder.remove());

  it('does on two connections at once what it has no memory for side by side', async () => {
    const limits = { memoryMb: 100, threads: 1, temporaryFolder: join(folder.path, 'temporary') };
    const first = await openReadWrite(join(folder.path, 'file.duckdb'), limits);
    try {
      await first.run(`SET temp_directory = ''`);
      const second = await first.another();
      const sums = 'SELECT count(*) AS n FROM (SELECT range, count(*) FROM range(1800000) GROUP BY range)';
      const all = await Promise.allSettled(
        [first, second, first, second].map((connection) => connection.rows<{ n: bigint }>(sums)),
      );
      expect(all).toEqual(Array(4).fill({ status: 'fulfilled', value: [{ n: 1_800_000n }] }));
    } finally {
      await first.close();
    }
  });

  it('spills beside another engine of the same folder, and each reads what it wrote', async () => {
    const temporaryFolder = join(folder.path, 'shared');
    const limits = { memoryMb: 60, threads: 1, temporaryFolder };
    const engines = await Promise.all([openReadWrite(':memory:', limits), openReadWrite(':memory:', limits)]);
    try {
      const fill = (name: string) =>
        `CREATE TABLE rows AS SELECT range AS number, repeat('${name}', 20) || range AS text FROM range(2000000) ORDER BY hash(range)`;
      await Promise.all(engines.map((engine, at) => engine.run(fill('ab'.charAt(at)))));
      expect(readdirSync(temporaryFolder)).toHaveLength(2);
      const wrong = (name: string) =>
        `SELECT count(*) AS n FROM (FROM rows ORDER BY text) WHERE text <> repeat('${name}', 20) || number`;
      const found = await Promise.all(engines.map((engine, at) => engine.rows<{ n: bigint }>(wrong('ab'.charAt(at)))));
      expect(found).toEqual([[{ n: 0n }], [{ n: 0n }]]);
    } finally {
      await Promise.all(engines.map((engine) => engine.close()));
    }
    expect(readdirSync(temporaryFolder)).toEqual([]);
  });
});
