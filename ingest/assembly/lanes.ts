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

/** Runs independent tasks, in their order, each on the next lane that is free; see `runOrdered`. */
export const runOnLanes = (lanes: readonly WarehouseConnection[], tasks: readonly LaneTask[]): Promise<void> =>
  runOrdered(
    lanes,
    tasks.map((run) => ({ run, after: [] })),
  );

/** A task that may begin once others have ended. */
export interface OrderedTask {
  readonly run: LaneTask;
  readonly after: readonly OrderedTask[];
}

export const task = (run: LaneTask, ...after: readonly OrderedTask[]): OrderedTask => ({ run, after });

/** The task of running a statement, or several. */
export const statement =
  (text: string): LaneTask =>
  (lane) =>
    lane.run(text);

/**
 * Runs tasks that depend on each other: a lane that is free takes the first one in their order that may begin, and waits only
 * while there is none.
 * @param ended called after each task
 * @throws the first error, after the tasks that had begun have ended; none is begun after it
 */
export async function runOrdered(
  lanes: readonly WarehouseConnection[],
  tasks: readonly OrderedTask[],
  ended: () => void = () => {},
): Promise<void> {
  const waiting = [...tasks];
  const done = new Set<OrderedTask>();
  let running = 0;
  let oneEnds = Promise.withResolvers<void>();

  const runNext = async (lane: WarehouseConnection): Promise<void> => {
    const next = waiting.findIndex(({ after }) => after.every((task) => done.has(task)));
    const [task] = next < 0 ? [] : waiting.splice(next, 1);
    if (task === undefined) {
      if (running === 0) throw new Error('A task waits for one that is not among the tasks');
      return oneEnds.promise;
    }
    running++;
    try {
      await task.run(lane);
      done.add(task);
      ended();
    } catch (error) {
      waiting.length = 0;
      throw error;
    } finally {
      running--;
      oneEnds.resolve();
      oneEnds = Promise.withResolvers();
    }
  };

  const lanesEnd = await Promise.allSettled(
    lanes.map(async (lane) => {
      while (waiting.length > 0) await runNext(lane);
    }),
  );
  const failure = lanesEnd.find((one) => one.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
