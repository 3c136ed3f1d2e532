/** Worker thread: produces the members that it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { itemAt } from '../../runtime/present.ts';
import type { Layout, Member } from './members.ts';
import { type Packed, produce } from './produce.ts';
import { tablesOf } from './tables.ts';
import type { Changes } from './world/changes.ts';
import { type Imprint, World, type WorldKey } from './world/world.ts';

export interface Setup {
  readonly key: WorldKey;
  readonly layout: Layout;
  readonly imprints: ReadonlyMap<number, Imprint>;
  readonly changes: Changes;
}

const { key, layout, imprints, changes } = workerData as Setup;
const world = new World(key, imprints, changes);
const tables = tablesOf(world);

if (parentPort === null) throw new Error('This module runs in a worker thread only');
const port = parentPort;

port.on('message', (member: Member) => {
  const packed: Packed = produce(world, itemAt(tables, member.table), member, layout);
  port.postMessage(
    packed,
    packed.chunks.map(({ buffer }) => buffer),
  );
});
