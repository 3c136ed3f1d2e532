import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openServer, type Server } from './clickhouse/server.ts';
import { dropVersions, measureLoad, refuseTaken } from './ingest/load.ts';
import { markdownLines } from './ingest/markdown.ts';
import { inflate, measureBuild } from './ingest/measured-build.ts';
import { buildLines, type ComparedBuild, loadLines } from './ingest/report.ts';
import { NotMeasurable, type Place } from './support/place.ts';
import { type Export, generatedDays } from './support/register.ts';

interface Options {
  readonly units: number;
  readonly export?: string;
  /** Days that are built one on the other after the first. */
  readonly nightly?: number;
  readonly next?: readonly string[];
  /** The server on which versions are built; by default they become files. */
  readonly warehouse?: Exclude<Place, { kind: 'folder' }>;
  /** Versions become files first, and the last one is loaded into that server. */
  readonly load?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly cache: string;
}

/**
 * The whole build of a register, and beside it in the same run the time that `unzip -p` takes to inflate the archive
 * into nothing, once before and once after the build; where that is asked for, the same of the next days, each on the
 * version before it. Versions become files, or are built straight on a server, or both: files that are loaded into it.
 */
export async function benchIngest(options: Options): Promise<void> {
  if (options.load && options.warehouse === undefined) throw new NotMeasurable('--load needs a server: --warehouse');
  const exports = await exportsOf(options);
  mkdirSync(options.cache, { recursive: true });
  const state = mkdtempSync(join(resolve(options.cache), 'state-'));
  try {
    const { warehouse: place } = options;
    // Before the build: whether there is a server is found out first.
    const server = place === undefined ? null : await openServer(place, join(state, 'chdb'));
    try {
      if (server !== null) await refuseTaken(server);
      await measure(exports, state, server, options).finally(() => server && dropVersions(server));
    } finally {
      await server?.close();
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** @throws NotMeasurable */
async function exportsOf({ units, export: given, nightly = 0, next = [], cache }: Options): Promise<Export[]> {
  if (given !== undefined) {
    if (nightly > next.length)
      throw new NotMeasurable('--nightly with --export needs the exports of later days: --next');
    return [given, ...next].map((file) => ({ file, day: null }));
  }
  if (next.length > 0) throw new NotMeasurable('--next is a day after --export, which is missing');
  return generatedDays(units, nightly, cache);
}

async function measure(
  exports: readonly Export[],
  state: string,
  server: Server | null,
  { load = false, json, markdown }: Options,
): Promise<void> {
  const builds: ComparedBuild[] = [];
  for (const source of exports) {
    const before = await inflate(source);
    const built = await measureBuild(source, { state, server: load ? null : server });
    const title = builds.length === 0 ? 'First build' : `Build of night ${builds.length}`;
    const build: ComparedBuild = { title, ...built, inflated: [before, await inflate(source)] };
    builds.push(build);
    if (!json && !markdown) say(buildLines(build));
  }
  const last = builds.at(-1)!;
  const loaded = load && server !== null ? await measureLoad(server, last.report.version, state) : null;
  if (json) return say([JSON.stringify({ builds, loaded })]);
  if (markdown) say(markdownLines(builds));
  if (server !== null && loaded !== null) say(loadLines(last, loaded, server));
}

const say = (lines: readonly string[]): void => {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
};
