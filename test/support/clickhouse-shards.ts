import { forward, insertedInto, isOnCluster, type Listener, listen, ofOneServer } from './clickhouse-forward.ts';
import type { ClickHouseServer } from './clickhouse-server.ts';

/**
 * A front for shards that are no cluster with Keeper: statements ON CLUSTER run on each of them, replicated tables become plain
 * ones, and rows for a table that every server holds whole go to each. Everything else goes to the first shard as it is.
 */

export interface Front extends Listener {
  /** Called with each statement before it is carried out; a test does there what happens meanwhile. */
  before: (statement: string) => Promise<void>;
}

/** @param spread the tables whose rows a Distributed table spreads over the shards */
export async function openFront(shards: readonly ClickHouseServer[], spread: ReadonlySet<string>): Promise<Front> {
  const listener = await listen(async (request) => {
    await front.before(request.statement);
    const table = insertedInto(request);
    const isForAll = isOnCluster(request) || (table !== null && !spread.has(table));
    if (!isForAll) return forward(shards[0]!.port, request);
    const answers = [];
    for (const { port } of shards) answers.push(await forward(port, ofOneServer(request)));
    return answers.find(({ status }) => status !== 200) ?? answers[0]!;
  });
  const front: Front = { ...listener, before: async () => {} };
  return front;
}
