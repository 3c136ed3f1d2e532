import type { WarehouseConnection } from '../duckdb/connection.ts';

/**
 * Lanes are connections that work side by side, each on a statement of its own. One statement on two threads costs the engine
 * up to twice the processor time of two statements on one thread each, and holds more in memory to keep rows in order.
 */
export type LaneTask = (lane: WarehouseConnection) => Promise<void>;

/** Opens further connections, so that with the first there are as many as asked for. */
export async function openLanes(first: WarehouseConnection, lanes: number): Promise<WarehouseConnection[]> {
  const others = await Promise.all(Array.from({ length: lanes - 1 }, () => first.another()));
  return [first, ...others];
}

/**
 * Runs independent tasks, in their order, each on the next lane that is free.
 * @throws the first error, after the tasks that had begun have ended; none is begun after it
 */
export async function runOnLanes(lanes: readonly WarehouseConnection[], tasks: readonly LaneTask[]): Promise<void> {
  const waiting = [...tasks];
  const ended = await Promise.allSettled(
    lanes.map(async (lane) => {
      try {
        for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task(lane);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }),
  );
  const failure = ended.find((one) => one.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
