import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drawAwards } from '../../data/generate/tenders/awards.ts';
import { writeTenders } from '../../data/generate/tenders/write.ts';
import { dayOf } from '../../data/generate/world/text.ts';
import { World } from '../../data/generate/world/world.ts';
import { build } from '../../ingest/build/build.ts';
import { bandsOf } from '../../ingest/checks/bands.ts';
import { folderTarget } from '../../ingest/publication/folder.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { filesOf, loadTenders } from '../../ingest/tenders/load.ts';
import { loadedTenders } from '../../ingest/tenders/loaded.ts';
import { readSettings } from '../../runtime/settings.ts';
import { generatedExport, note } from './support/register.ts';

interface Options {
  readonly units: number;
  readonly rounds: number;
  readonly awards: number;
  readonly cache: string;
}

const EXPORT_DAY = '2026-11-01';

/** Time on the clock and of all processors, in seconds. */
interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

/**
 * Measures how long loading the award lists of many rounds takes, and how much longer a build with links takes. Builds
 * with and without lists take turns, and the quicker of each kind counts.
 */
export async function benchTenders({ units, rounds, awards, cache }: Options): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(resolve(cache), 'tenders-'));
  try {
    const lists = join(folder, 'lists');
    await writeLists(lists, { units, rounds, awards });
    const files = filesOf([lists]);
    const warehouse = join(folder, 'loaded');
    const first = await spent(() => load(warehouse, files));
    const again = await spent(() => load(warehouse, files));
    const listed = loadedTenders(warehouse, EXPORT_DAY).awards.length;
    say(`Award lists of ${files.length} rounds, ${listed.toLocaleString('en')} awards`);
    row('loading', first);
    row('loading the same again', again);
    rmSync(join(folder, 'loaded'), { recursive: true });
    const source = await generatedExport(units, cache);
    const kinds = { without: [] as Spent[], with: [] as Spent[] };
    for (let turn = 0; turn < 2; turn++) {
      kinds.without.push(await buildIn(join(folder, `plain-${turn}`), source, []));
      kinds.with.push(await buildIn(join(folder, `linked-${turn}`), source, files));
    }
    const [plain, linked] = [best(kinds.without), best(kinds.with)];
    say(`Build of ${units.toLocaleString('en')} units`);
    row('without lists', plain);
    row('with lists', linked);
    row('difference', { wall: linked.wall - plain.wall, cpu: linked.cpu - plain.cpu });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeLists(folder: string, { units, rounds, awards }: Omit<Options, 'cache'>): Promise<void> {
  const day = dayOf(EXPORT_DAY) ?? 0;
  const book = drawAwards(new World({ seed: 1, units, firstDay: day, day }), Math.ceil(awards / rounds));
  const wanted = book.rounds.slice(0, rounds).map(({ round }) => round.code);
  await writeTenders(book, { folder, rounds: wanted, broken: false });
  note(`${readdirSync(folder).length} lists written`);
}

async function load(warehouse: string, files: readonly string[]): Promise<void> {
  const outcomes = await loadTenders(warehouse, files, { dryRun: false, day: EXPORT_DAY });
  const refused = outcomes.find(({ outcome }) => outcome === 'refused');
  if (refused !== undefined) throw new Error(`${refused.file} was refused: ${refused.reason}`);
}

/** Builds into a warehouse of its own, which is removed afterwards. Only the build is measured. */
async function buildIn(warehouse: string, source: string, files: readonly string[]): Promise<Spent> {
  if (files.length > 0) await load(warehouse, files);
  const settings = readSettings({});
  const result = await spent(() =>
    build({
      ...{ source, warehouse, target: folderTarget(warehouse), day: EXPORT_DAY, force: true },
      ...{ bands: bandsOf(settings), keep: 1, threads: 2, memoryMb: 2000, compareEvery: 1, progress: silentProgress },
    }),
  );
  rmSync(warehouse, { recursive: true, force: true });
  return result;
}

async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 };
}

const best = (all: readonly Spent[]): Spent => ({
  wall: Math.min(...all.map(({ wall }) => wall)),
  cpu: Math.min(...all.map(({ cpu }) => cpu)),
});

const row = (name: string, { wall, cpu }: Spent): void =>
  say(`  ${name.padEnd(25)}${wall.toFixed(2).padStart(8)} s  ${cpu.toFixed(2).padStart(8)} CPU-seconds`);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
