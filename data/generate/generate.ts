/** Generates an export: plans its members, has threads produce them, and writes them in order. */
import { open, rename, rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { GENERATOR } from '../../runtime/invented.ts';
import { entryOf, itemAt } from '../../runtime/present.ts';
import { ZipWriter } from './archive/zip.ts';
import { type Layout, type Member, membersOf } from './members.ts';
import { type Packed, produce } from './produce.ts';
import { type Table, tablesOf } from './tables.ts';
import { drawAwards } from './tenders/awards.ts';
import { type TenderOrder, writeTenders } from './tenders/write.ts';
import type { Setup } from './worker.ts';
import { ELECTRIC } from './world/carriers.ts';
import { drawNights } from './world/nights.ts';
import { baseOf } from './world/random.ts';
import { dayText } from './world/text.ts';
import { exportDay, World, type WorldKey } from './world/world.ts';

export interface Order {
  readonly key: WorldKey;
  readonly layout: Layout;
  /** Path of the archive. */
  readonly out: string;
  /** The order for award lists; undefined when none are wanted. */
  readonly tenders?: TenderOrder | undefined;
  /** Number of threads that produce members; with one it is the caller's. */
  readonly workers: number;
  /** Stops the work without writing the archive. */
  readonly signal?: AbortSignal;
  /** Called after every member. */
  readonly progress?: (done: number, all: number) => void;
}

export interface Summary {
  readonly file: string;
  readonly day: string;
  /** Records of the unit files by carrier. */
  readonly units: Record<string, number>;
  readonly members: number;
  readonly records: number;
  readonly bytesPacked: number;
  readonly bytesUnpacked: number;
  /** Award lists and statistics. */
  readonly tenderFiles: number;
  readonly seconds: number;
}

export async function generate({ key, layout, out, tenders, workers, signal, progress }: Order): Promise<Summary> {
  const start = performance.now();
  // Awards were given before: nights change none.
  const book = drawAwards(new World(key));
  const { imprints } = book;
  const changes = drawNights(key);
  const world = new World(key, imprints, changes);
  const day = exportDay(key);
  const tables = tablesOf(world);
  const members = membersOf(world, tables, layout);
  signal?.throwIfAborted();
  const partial = `${out}.partial`;
  const file = await open(partial, 'w');
  let bytesUnpacked = 0;
  let bytesPacked = 0;
  let tenderFiles = 0;
  try {
    const zip = new ZipWriter(file);
    let done = 0;
    const take = async (member: Member, packed: Packed): Promise<void> => {
      // Written between 01:00 and 02:10, one after the other.
      const seconds = 3600 + Math.floor((4200 * done) / members.length) + (baseOf(key.seed, 1, done) % 5);
      await zip.add(member.name, packed.crc, packed.size, packed.chunks, day, seconds);
      bytesUnpacked += packed.size;
      progress?.(++done, members.length);
    };
    if (workers === 1) await produceHere(members, world, tables, layout, signal, take);
    else
      await produceOnWorkers(
        members,
        Math.min(workers, members.length),
        { key, layout, imprints, changes },
        signal,
        take,
      );
    bytesPacked = await zip.finish(comment(key, layout));
    await file.close();
    await rename(partial, out);
    if (tenders !== undefined) tenderFiles = await writeTenders(book, tenders);
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
  const recordsOf = (name: string): number =>
    members.reduce((sum, member) => (itemAt(tables, member.table).file === name ? sum + member.records : sum), 0);
  return {
    file: out,
    day: dayText(day),
    units: Object.fromEntries(ELECTRIC.map(({ name, file: type }) => [name, recordsOf(type)])),
    members: members.length,
    records: members.reduce((sum, { records }) => sum + records, 0),
    bytesPacked,
    bytesUnpacked,
    tenderFiles,
    seconds: Math.round((performance.now() - start) / 10) / 100,
  };
}

/** Comment of the archive; a later export of the same world starts from it. */
function comment(key: WorldKey, { partSize, clean }: Layout): string {
  const { seed, units, nights = [] } = key;
  return JSON.stringify({
    generator: GENERATOR,
    seed,
    units,
    day: dayText(key.day),
    firstDay: dayText(key.firstDay),
    partSize,
    clean,
    ...(nights.length === 0 ? {} : { nights }),
  });
}

/** A signal stops the work between two members. */
async function produceHere(
  members: readonly Member[],
  world: World,
  tables: readonly Table[],
  layout: Layout,
  signal: AbortSignal | undefined,
  take: (member: Member, packed: Packed) => Promise<void>,
): Promise<void> {
  for (const member of members) {
    signal?.throwIfAborted();
    await take(member, produce(world, itemAt(tables, member.table), member, layout));
  }
}

/**
 * Has worker threads produce the members and yields them in their order. At most two members per worker are in progress or
 * waiting, which bounds the memory.
 */
async function produceOnWorkers(
  members: readonly Member[],
  count: number,
  setup: Setup,
  signal: AbortSignal | undefined,
  take: (member: Member, packed: Packed) => Promise<void>,
): Promise<void> {
  const workers = Array.from(
    { length: count },
    () =>
      new Worker(new URL('./worker.ts', import.meta.url), {
        workerData: setup,
        resourceLimits: { maxYoungGenerationSizeMb: 32 },
      }),
  );
  const ready = new Map<number, Packed>();
  let next = 0;
  let written = 0;
  let writing = false;
  try {
    await new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason));
      const idle: Worker[] = [];
      const busy = new Map<Worker, number>();
      const feed = (): void => {
        while (next < members.length && next < written + 2 * count) {
          const worker = idle.pop();
          if (worker === undefined) return;
          busy.set(worker, next);
          worker.postMessage(itemAt(members, next++));
        }
      };
      const drain = async (): Promise<void> => {
        if (writing) return;
        writing = true;
        for (let packed = ready.get(written); packed; packed = ready.get(written)) {
          ready.delete(written);
          await take(itemAt(members, written), packed);
          written++;
          feed();
        }
        writing = false;
        if (written === members.length) resolve();
      };
      for (const worker of workers) {
        worker.on('error', reject);
        worker.on('message', (packed: Packed) => {
          ready.set(entryOf(busy, worker), packed);
          idle.push(worker);
          feed();
          drain().catch(reject);
        });
        idle.push(worker);
      }
      feed();
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
