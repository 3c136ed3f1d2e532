import { constants, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inflate, measureBuild, unitsOf } from './ingest/measured-build.ts';
import { type MeasuredAnswers, measureAnswers } from './night/answers.ts';
import { type MeasuredNight, nightLines } from './night/report.ts';
import { machine } from './support/machine.ts';
import { NotMeasurable } from './support/place.ts';
import { type Export, generatedDays, note } from './support/register.ts';

interface Options {
  readonly units: number;
  /** By default in the ratio of a whole register. */
  readonly changes?: number;
  /** Nights one on the other; with them, questions are asked after the first and the last. */
  readonly nights?: number;
  readonly requests: number;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly cache: string;
}

/** Units that change in a night of a whole register. */
const CHANGES = 20_000 / 9_500_000;

/**
 * A night on a version of the day before, and in the same run the build of the same day from nothing, on the same version, and
 * the time that `unzip -p` takes for the archive, once before and once after them. It is the second night of its register: in the
 * first one, every planned unit turns, as its day was seen once before.
 */
export async function benchNight(options: Options): Promise<void> {
  const { units, changes = Math.ceil(units * CHANGES), nights = 1, cache } = options;
  const days = await generatedDays(units, nights + 1, cache, changes);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(resolve(cache), 'state-'));
  const [state, beside] = [join(folder, 'nights'), join(folder, 'from-nothing')];
  try {
    const [first, second, third, ...later] = days as [Export, Export, Export, ...Export[]];
    note('Building the first two days');
    for (const day of [first, second]) await measureBuild(day, { state });
    // Not by a roll-back, after which a night would begin from nothing.
    cpSync(state, beside, { recursive: true, mode: constants.COPYFILE_FICLONE });
    const before = await inflate(third);
    const night = await measureNight(third, state);
    note('Building the third day from nothing');
    const fromNothing = await measureBuild(third, { state: beside, fromNothing: true });
    const inflated = [before, await inflate(third)] as const;
    const answers: MeasuredAnswers[] = [];
    const ask = async (name: string): Promise<void> => {
      if (options.nights !== undefined) answers.push(await measureAnswers(name, state, options.requests));
    };
    await ask('after night 1');
    const others: MeasuredNight[] = [];
    for (const day of later) others.push(await measureNight(day, state));
    if (later.length > 0) await ask(`after night ${nights}`);
    const result = {
      ...{ machine: machine(), units: unitsOf(night.report), changes },
      ...{ nights: [night, ...others], fromNothing, inflated, answers },
    };
    const lines = options.json ? [JSON.stringify(result)] : nightLines(result, options.markdown ? 'markdown' : 'text');
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws NotMeasurable when the version was built from nothing after all */
async function measureNight(source: Export, state: string): Promise<MeasuredNight> {
  note(`The night of ${source.day}`);
  const built = await measureBuild(source, { state });
  const { version, affected, reason } = built.report.madeFrom ?? { version: null, affected: null, reason: null };
  if (version === null) throw new NotMeasurable(`The night was built from nothing: ${reason}`);
  return { ...built, day: built.report.exportDay, affected: affected ?? 0 };
}
