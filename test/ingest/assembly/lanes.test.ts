import { describe, expect, it } from 'vitest';
import { type LaneTask, type OrderedTask, runOnLanes, runOrdered } from '../../../ingest/assembly/lanes.ts';
import type { WarehouseConnection } from '../../../ingest/duckdb/connection.ts';

/** Independent statements of a build run side by side, one on each connection. */

const lanesOf = (count: number) =>
  Array.from({ length: count }, (_, lane) => ({ lane }) as unknown as WarehouseConnection);

describe('tasks on lanes', () => {
  it('begin in their order, as many at once as there are lanes', async () => {
    const begun: number[] = [];
    const open = new Set<number>();
    let most = 0;
    const tasks = Array.from(
      { length: 7 },
      (_, task): LaneTask =>
        async () => {
          begun.push(task);
          open.add(task);
          most = Math.max(most, open.size);
          await new Promise((resolve) => setImmediate(resolve));
          open.delete(task);
        },
    );
    await runOnLanes(lanesOf(3), tasks);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(most).toBe(3);
  });

  it('never share a lane', async () => {
    const busy = new Set<WarehouseConnection>();
    const tasks = Array.from(
      { length: 20 },
      (_, task): LaneTask =>
        async (lane) => {
          expect(busy.has(lane)).toBe(false);
          busy.add(lane);
          for (let turn = 0; turn <= task % 3; turn++) await Promise.resolve();
          busy.delete(lane);
        },
    );
    await runOnLanes(lanesOf(2), tasks);
    expect(busy.size).toBe(0);
  });

  it('end with the first error, which is thrown when the others have ended; none begins after it', async () => {
    const ended: string[] = [];
    const other = Promise.withResolvers<void>();
    const tasks: LaneTask[] = [
      async () => {
        await other.promise;
        ended.push('other');
      },
      async () => {
        setImmediate(other.resolve);
        throw new Error('the disk is full');
      },
      async () => {
        ended.push('never');
      },
    ];
    await expect(runOnLanes(lanesOf(2), tasks)).rejects.toThrow('the disk is full');
    expect(ended).toEqual(['other']);
  });
});

describe('tasks that depend on each other', () => {
  /** Tasks that note when they begin and end, the later ones in more turns. */
  function noting() {
    const noted: string[] = [];
    const task = (name: string, turns: number, ...after: OrderedTask[]): OrderedTask => ({
      after,
      run: async () => {
        noted.push(`${name} begins`);
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        noted.push(`${name} ends`);
      },
    });
    return { noted, task };
  }

  it('begin after those that they need, and leave no lane idle while others may begin', async () => {
    const { noted, task } = noting();
    const types = task('types', 2);
    const table = task('table', 3, types);
    const sorted = task('sorted', 1, table);
    let ended = 0;
    await runOrdered(lanesOf(2), [types, table, sorted, task('row file', 3), task('search', 1)], () => ended++);
    expect(noted).toEqual([
      'types begins',
      'row file begins',
      'types ends',
      'table begins',
      'row file ends',
      'search begins',
      'search ends',
      'table ends',
      'sorted begins',
      'sorted ends',
    ]);
    expect(ended).toBe(5);
  });

  it('need one lane only', async () => {
    const { noted, task } = noting();
    const first = task('first', 1);
    await runOrdered(lanesOf(1), [task('second', 1, first), first]);
    expect(noted).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('do not begin after an error, and no lane waits for them', async () => {
    const { noted, task } = noting();
    const failing: OrderedTask = {
      run: async () => {
        throw new Error('the disk is full');
      },
      after: [task('first', 1)],
    };
    const tasks = [...failing.after, failing, task('second', 1, failing)];
    await expect(runOrdered(lanesOf(3), tasks)).rejects.toThrow('the disk is full');
    expect(noted).toEqual(['first begins', 'first ends']);
  });

  it('fail when they wait for one that is not among them', async () => {
    const { noted, task } = noting();
    await expect(runOrdered(lanesOf(2), [task('second', 1, task('first', 1))])).rejects.toThrow('not among the tasks');
    expect(noted).toEqual([]);
  });
});
