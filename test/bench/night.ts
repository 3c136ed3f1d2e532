import { cpSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openServer } from './clickhouse/server.ts';
import { dropVersions, refuseTaken } from './ingest/load.ts';
import { inflate, type MeasuredBuild, measureBuild, unitsOf } from './ingest/measured-build.ts';
import { type MeasuredAnswers, measureAnswers } from './night/answers.ts';
import { type MeasuredNight, nightLines } from './night/report.ts';
import { machine } from './support/machine.ts';
import { NotMeasurable, type Place } from './support/place.ts';
import { type Export, generatedDays, note } from './support/register.ts';

interface Options {
  readonly units: number;
  /** By default in the ratio of a whole register. */
  readonly changes?: number;
  /** Nights one on the other; with them, questions are asked after the first and the last. */
  readonly nights?: number;
  readonly requests: number;
  /** The server on which versions are built; by default they become files. */
  readonly warehouse?: Exclude<Place, { kind: 'folder' }>;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly cache: string;
}

/** Units that change in a night of a whole register. */
const CHANGES = 20_000 / 9_500_000;

/** Bytes of a file that is linked, not copied. */
const LARGE = 1 << 20;

/**
 * A night on a version of the day before, and in the same run the build of the same day from nothing, on the same version, and
 * the time that `unzip -p` takes for the archive, once before and once after them. It is the second night of its register: in the
 * first one, every planned unit turns, as its day was seen once before.
 */
export async function benchNight(options: Options): Promise<void> {
  const { units, changes = Math.ceil(units * CHANGES), nights = 1, cache, warehouse: place } = options;
  const days = await generatedDays(units, nights + 1, cache, changes);
  mkdirSync(cache, { recursive: true });
  if (place !== undefined && options.nights !== undefined)
    throw new NotMeasurable('Questions after nights on a server are those of `bench queries`: --nights is for files');
  const folder = mkdtempSync(join(resolve(cache), 'state-'));
  const server = place === undefined ? null : await openServer(place, join(folder, 'chdb'));
  // On a server, the build from nothing follows the night, as its version cannot be copied.
  const [state, beside] = [join(folder, 'nights'), join(folder, server === null ? 'from-nothing' : 'nights')];
  const built = async (source: Export, at: string, fromNothing = false): Promise<MeasuredBuild> =>
    withServer(await measureBuild(source, { state: at, server, fromNothing }));
  try {
    if (server !== null) await refuseTaken(server);
    const [first, second, third, ...later] = days as [Export, Export, Export, ...Export[]];
    note('Building the first two days');
    for (const day of [first, second]) await built(day, state);
    // Not by a roll-back, after which a night would begin from nothing.
    if (server === null) linkState(state, beside);
    const before = await inflate(third);
    const night = nightOf(third, await built(third, state));
    note('Building the third day from nothing');
    const fromNothing = await built(third, beside, true);
    const inflated = [before, await inflate(third)] as const;
    const answers: MeasuredAnswers[] = [];
    const ask = async (name: string): Promise<void> => {
      if (options.nights !== undefined) answers.push(await measureAnswers(name, state, options.requests));
    };
    await ask('after night 1');
    const others: MeasuredNight[] = [];
    for (const day of later) others.push(nightOf(day, await built(day, state)));
    if (later.length > 0) await ask(`after night ${nights}`);
    const result = {
      ...{ machine: machine(), units: unitsOf(night.report), changes },
      ...{ nights: [night, ...others], fromNothing, inflated, answers },
    };
    const lines = options.json ? [JSON.stringify(result)] : nightLines(result, options.markdown ? 'markdown' : 'text');
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  } finally {
    if (server !== null) await dropVersions(server).finally(() => server.close());
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a state folder; large files are those of versions, which never change, so that links to them do. */
function linkState(from: string, to: string): void {
  const filter = (file: string, copy: string): boolean => {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size < LARGE) return true;
    linkSync(file, copy);
    return false;
  };
  cpSync(from, to, { recursive: true, filter });
}

/** @throws NotMeasurable when the version was built from nothing after all */
function nightOf(source: Export, built: MeasuredBuild): MeasuredNight {
  const { version, affected, reason } = built.report.madeFrom ?? { version: null, affected: null, reason: null };
  if (version === null) throw new NotMeasurable(`The night of ${source.day} was built from nothing: ${reason}`);
  return { ...built, day: built.report.exportDay, affected: affected ?? 0 };
}

/** Counts what a server of our own has taken as part of the build. */
function withServer(built: MeasuredBuild): MeasuredBuild {
  const { spent, server } = built;
  if (server === null) return built;
  note(
    `  the server took ${server.spent.cpuSeconds.toFixed(1)} CPU-s of it, and merged for ${server.merging.cpuSeconds.toFixed(1)}`,
  );
  return {
    ...built,
    spent: {
      seconds: spent.seconds,
      cpuSeconds: spent.cpuSeconds + server.spent.cpuSeconds,
      peakMemoryMb: spent.peakMemoryMb + server.spent.peakMemoryMb,
    },
  };
}
