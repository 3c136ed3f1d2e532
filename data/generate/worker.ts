/** Worker thread: makes the members it is asked for. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Layout, Member } from './members.ts';
import { type Packed, produce } from './produce.ts';
import { tablesOf } from './tables.ts';
import { World, type WorldKey } from './world.ts';

export interface Setup {
  readonly key: WorldKey;
  readonly layout: Layout;
}

const { key, layout } = workerData as Setup;
const world = new World(key);
const tables = tablesOf(world);

parentPort!.on('message', (member: Member) => {
  const packed: Packed = produce(world, tables[member.table]!, member, layout);
  parentPort!.postMessage(
    packed,
    packed.chunks.map(({ buffer }) => buffer),
  );
});
