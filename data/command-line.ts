/** Command line of the generator of register exports and of the boundaries. */
import { open, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { EXIT, failureOf, refused, usageError } from '../runtime/command-line/exit.ts';
import type { Terminal } from '../runtime/command-line/terminal.ts';
import { counted } from '../runtime/counted.ts';
import { GENERATOR } from '../runtime/invented.ts';
import { RELEASE } from '../runtime/release.ts';
import { readComment } from './generate/archive/zip.ts';
import { generate, type Summary } from './generate/generate.ts';
import type { Layout } from './generate/members.ts';
import { ROUNDS } from './generate/tenders/calendar.ts';
import type { TenderOrder } from './generate/tenders/write.ts';
import type { Night } from './generate/world/changes.ts';
import { date, dayOf } from './generate/world/text.ts';
import { exportDay, type WorldKey } from './generate/world/world.ts';

const BOUNDARIES = 'data/reference/boundaries';
const DEFAULT_DAY = '2026-11-01';
const LEAST_UNITS = 500;
/** The stock had to be registered by early 2021; earlier worlds would be half empty. */
const EARLIEST_DAY = date(2021, 3, 1);
const LATEST_DAY = date(2035, 12, 31);

interface Options {
  readonly units?: number;
  readonly seed?: number;
  readonly out: string;
  readonly day?: number;
  readonly previous?: string;
  readonly changes?: number;
  readonly partSize?: number;
  readonly workers: number;
  readonly level: number;
  readonly clean?: boolean;
  readonly json?: boolean;
  readonly tenders?: string;
  readonly tenderRounds?: string;
  readonly brokenTenders?: boolean;
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** @throws InvalidArgumentError when the text is no day */
function requireDay(text: string): number {
  const value = dayOf(text);
  if (value === undefined) throw new InvalidArgumentError('must be a day like 2026-11-01.');
  return value;
}

function day(text: string): number {
  const value = requireDay(text);
  if (value < EARLIEST_DAY || value > LATEST_DAY)
    throw new InvalidArgumentError('must lie between 2021-03-01 and 2035-12-31.');
  return value;
}

/** World and layout of an earlier export, from the comment of its zip. */
async function readPrevious(path: string, level: number): Promise<{ key: WorldKey; layout: Layout }> {
  const unreadable = (): never => {
    throw refused(`${path} cannot be read: it is no zip, or not there`);
  };
  const file = await open(path).catch(unreadable);
  try {
    const text = await readComment(file).catch(unreadable);
    const parsed: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!isComment(parsed)) throw refused(`${path} was not made by this generator`);
    const { seed, units, partSize, clean, nights = [] } = parsed;
    return {
      key: { seed, units, firstDay: requireDay(parsed.firstDay), day: requireDay(parsed.day), nights },
      layout: { partSize, clean, level },
    };
  } catch (error) {
    if (error instanceof SyntaxError) throw refused(`${path} was not made by this generator`);
    throw error;
  } finally {
    await file.close();
  }
}

interface Comment {
  seed: number;
  units: number;
  day: string;
  firstDay: string;
  partSize: number;
  clean: boolean;
  nights?: Night[];
}

function isComment(value: unknown): value is Comment {
  const comment = value as Partial<Comment & { generator: string }> | undefined | null;
  return (
    comment?.generator === GENERATOR &&
    [comment.seed, comment.units, comment.partSize].every(Number.isSafeInteger) &&
    dayOf(`${comment.day}`) !== undefined &&
    dayOf(`${comment.firstDay}`) !== undefined
  );
}

/** World and layout from the options, checked against each other. */
async function resolve(options: Options): Promise<{ key: WorldKey; layout: Layout }> {
  const { previous, level } = options;
  if (previous === undefined) {
    if (options.units === undefined) throw usageError('--units is missing (or --previous for a later export)');
    if (options.changes !== undefined) throw usageError('--changes needs the export before: --previous');
    const first = options.day ?? requireDay(DEFAULT_DAY);
    return {
      key: { seed: options.seed ?? 1, units: options.units, firstDay: first, day: first },
      layout: { partSize: options.partSize ?? 100_000, clean: options.clean ?? false, level },
    };
  }
  const before = await readPrevious(previous, level);
  if (options.units !== undefined && options.units !== before.key.units)
    throw usageError(`${previous} has ${counted(before.key.units, 'unit')}; leave --units out`);
  if (options.seed !== undefined && options.seed !== before.key.seed)
    throw usageError(`${previous} has seed ${before.key.seed}; leave --seed out`);
  const last = exportDay(before.key);
  const later = options.day ?? last + 1;
  if (later <= last) throw usageError('--day must be later than the day of the previous export');
  const { nights = [] } = before.key;
  if (options.changes === undefined && nights.length > 0)
    throw usageError(`${previous} was made with --changes; its later days are, too`);
  return {
    key:
      options.changes === undefined
        ? { ...before.key, day: later }
        : { ...before.key, nights: [...nights, { day: later, changes: options.changes }] },
    layout: {
      partSize: options.partSize ?? before.layout.partSize,
      clean: options.clean ?? before.layout.clean,
      level,
    },
  };
}

/** The surroundings in which the command line runs. */
export interface Surroundings {
  readonly terminal: Pick<Terminal, 'out' | 'err'>;
  /** True when somebody watches standard error, who is shown the progress. */
  readonly interactive: boolean;
  /** Stops the work: the unfinished archive is removed. */
  readonly signal: AbortSignal;
}

function tenderOrder({ tenders, tenderRounds, brokenTenders = false }: Options): TenderOrder | undefined {
  if (tenders === undefined) {
    if (tenderRounds !== undefined || brokenTenders)
      throw usageError('--tenders is missing: the folder of award lists');
    return undefined;
  }
  const rounds = tenderRounds?.split(',');
  const unknown = rounds?.find((code) => !ROUNDS.some((round) => round.code === code));
  if (unknown !== undefined) throw usageError(`there is no round ${unknown}`);
  return { folder: tenders, rounds, broken: brokenTenders };
}

async function run(options: Options, { terminal, interactive, signal }: Surroundings): Promise<void> {
  const order = await resolve(options);
  const { workers, out } = options;
  if (out === '') throw usageError('--out is empty');
  const folder = await stat(dirname(out)).catch(() => undefined);
  if (!folder?.isDirectory()) throw refused(`there is no folder ${dirname(out)}`);
  const existing = await stat(out).catch(() => undefined);
  if (existing && !existing.isFile()) throw refused(`${out} is not a file`);
  const tenders = tenderOrder(options);
  const progress = (done: number, all: number): void => {
    terminal.err(`\r${done} of ${counted(all, 'member')}${done === all ? '\n' : ''}`);
  };
  const summary = await generate({ ...order, workers, out, tenders, signal, ...(interactive ? { progress } : {}) });
  terminal.out(options.json ? `${JSON.stringify(summary)}\n` : describe(summary));
}

function describe(summary: Summary): string {
  const { units, members, records, bytesPacked, bytesUnpacked, tenderFiles, seconds } = summary;
  const total = Object.values(units).reduce((sum, count) => sum + count, 0);
  const rows = Object.entries(units).map(([name, count]) => `  ${name.padEnd(22)}${String(count).padStart(10)}\n`);
  return (
    `${summary.file}: register of ${summary.day}\n${rows.join('')}  ${'units'.padEnd(22)}${String(total).padStart(10)}\n` +
    `${counted(records, 'record')} in ${counted(members, 'member')}, ${megabytes(bytesUnpacked)} unpacked, ${megabytes(bytesPacked)} packed ` +
    `(${(bytesUnpacked / bytesPacked).toFixed(1)} to 1), ${seconds} s\n${tenderFiles > 0 ? `${counted(tenderFiles, 'file')} of tenders\n` : ''}`
  );
}

/** The libraries of the boundaries are development dependencies: a service installed without them can still make exports. */
async function runBoundaries({ out }: { readonly out: string }, { terminal }: Surroundings): Promise<void> {
  const { writeBoundaries } = await import('./boundaries/write.ts');
  for (const { file, areas, points, bytes, bytesCompressed } of await writeBoundaries(out))
    terminal.out(
      `${file.padEnd(20)}${counted(areas, 'area').padStart(14)}${counted(points, 'point').padStart(18)}` +
        `${megabytes(bytes).padStart(10)}, ${megabytes(bytesCompressed)} compressed\n`,
    );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function programIn(surroundings: Surroundings): Command {
  const { out, err } = surroundings.terminal;
  const program = new Command('data')
    .description(
      'Makes exports of an invented register of energy assets in the true format, and the boundaries of the maps.',
    )
    .version(RELEASE)
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride();
  program
    .command('generate')
    .description('write an export, or a later export of the same world')
    .option(
      '--units <n>',
      'generation and storage units on the day of the first export',
      wholeNumber(LEAST_UNITS, 50_000_000),
    )
    .option('--seed <n>', 'number that fixes the world (default: 1)', wholeNumber(0, 2_147_483_647))
    .requiredOption('--out <file>', 'archive to write')
    .option('--day <day>', `day of the export (default: ${DEFAULT_DAY}, with --previous the day after)`, day)
    .option('--previous <file>', 'earlier export of the world')
    .option(
      '--changes <n>',
      'with --previous: units that come, change or leave, as often as on real days (default: as many as the days bring)',
      wholeNumber(1, 1_000_000),
    )
    .option('--part-size <n>', 'most records of a numbered part (default: 100000)', wholeNumber(10, 1_000_000))
    .option(
      '--workers <n>',
      'worker threads; the bytes do not depend on it',
      wholeNumber(1, 256),
      availableParallelism(),
    )
    .option('--level <n>', 'level of deflate, 1 = fast, 9 = small', wholeNumber(1, 9), 6)
    .option('--clean', 'leave malformed XML out (control characters, cut-off elements)')
    .option('--tenders <folder>', 'also write the award lists and statistics of its tenders into this folder')
    .option('--tender-rounds <codes>', 'only the lists of these rounds, comma-separated: WIN19-5,SOL20-2')
    .option('--broken-tenders', 'also write files that must be refused, into the folder broken below it')
    .option('--json', 'summary as JSON')
    .action((options: Options) => run(options, surroundings));
  program
    .command('boundaries')
    .description('write the boundaries of states, districts and municipalities from the development dependency')
    .option('--out <folder>', 'folder of the files', BOUNDARIES)
    .action((options: { readonly out: string }) => runBoundaries(options, surroundings));
  program
    .command('points')
    .description('write a point of each municipality from the boundaries')
    .action(async () => {
      const { POINTS, pointsTable } = await import('./places/points.ts');
      await writeFile(POINTS, pointsTable());
    });
  return program;
}

/** Runs a command line of the generator. @returns the exit code */
export async function runData(words: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    await programIn(surroundings).parseAsync([...words], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { exit, message } = failureOf(error);
    surroundings.terminal.err(`error: ${message}\n`);
    return EXIT[exit];
  }
}
