import { describe, expect, it } from 'vitest';
import { type LaneTask, runOnLanes } from '../../../ingest/assembly/lanes.ts';
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
