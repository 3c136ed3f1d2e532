import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { Locked } from '../sql/lock.ts';
import { readSettings, type Settings, SettingsError, warehouseFolder } from '../sql/settings.ts';
import { currentPublication, listVersions, prune, publications, publish } from '../sql/warehouse/versions.ts';
import { ArchiveError } from './archive/archive.ts';
import { alone } from './build/alone.ts';
import { type BuildOptions, BuildRefused, backfill, build } from './build/build.ts';
import { buildAtWork } from './build/lock.ts';
import { humanProgress, machineProgress } from './build/progress.ts';
import { printReport, readReport } from './build/report.ts';

/** The command line of the ingest: npm run ingest -- <command>. */

/** Exit codes, documented in docs/operations.md. */
const EXIT = { done: 0, failed: 1, usage: 2, notPublished: 3, locked: 4, refused: 5, archive: 6 } as const;

/** A signal ends a command with 128 and its number, as a shell would tell it. */
const STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;

type ExitCode = (typeof EXIT)[keyof typeof EXIT] | (typeof STOPPED)[keyof typeof STOPPED];

/** Somebody stopped the command. */
class Stopped extends Error {
  readonly exitCode: ExitCode;

  constructor(name: keyof typeof STOPPED) {
    super(`Stopped by ${name}: nothing was published, what was served is still served, and nothing is left behind.`);
    this.exitCode = STOPPED[name];
  }
}

/** Runs a command and returns the exit code. */
export async function runIngest(words: readonly string[]): Promise<number> {
  let code: ExitCode = EXIT.done;
  const program = commands((result) => {
    code = result;
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`${tell(error)}\n`);
    return exitCodeOf(error);
  }
}

const DISK_FULL = /ENOSPC|EDQUOT|EFBIG|No space left on device|Disk quota exceeded|File too large/;

/** What went wrong and what to do; engines and systems say it in many words. */
function tell(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!DISK_FULL.test(message)) return message;
  const place = message.split('\n')[0]!.replace(/^.*?because of error: /, '');
  return `The disk is full: ${place}. Nothing was published, what was served is still served; make room and build again.`;
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Stopped) return error.exitCode;
  if (error instanceof SettingsError) return EXIT.usage;
  if (error instanceof Locked) return EXIT.locked;
  if (error instanceof BuildRefused) return EXIT.refused;
  if (error instanceof ArchiveError) return EXIT.archive;
  return EXIT.failed;
}

interface BuildFlags {
  readonly day?: string;
  readonly force: boolean;
  readonly backfill: boolean;
  readonly json: boolean;
}

function commands(finish: (code: ExitCode) => void): Command {
  const program = new Command('npm run ingest --')
    .description('Builds and publishes dataset versions from exports of the register.')
    .exitOverride()
    .showHelpAfterError()
    .helpCommand(true);

  program
    .command('build')
    .description('build a version from an export and publish it')
    .argument('<export>', 'the zip of the register, or the folder it was extracted into')
    .option('--day <YYYY-MM-DD>', 'day of the export, where its name does not say it', calendarDay)
    .option('--force', 'publish although checks have failed', false)
    .option('--backfill', 'take only the history from an export older than the version served', false)
    .option('--json', 'progress and report as JSON lines', false)
    .action(async (source: string, flags: BuildFlags) => finish(await runBuild(source, flags)));

  program
    .command('ensure')
    .description('build a version from the sample export when there is none yet')
    .action(async () => finish(await ensureVersion()));

  program
    .command('status')
    .description('what is served, what is being built')
    .option('--json', 'as JSON', false)
    .action(({ json }: { json: boolean }) => printStatus(json));

  program
    .command('versions')
    .description('the versions there are')
    .option('--json', 'as JSON', false)
    .action(({ json }: { json: boolean }) => printVersions(json));

  program
    .command('report')
    .description('the report of a build')
    .argument('[version]', 'default: the version served')
    .option('--json', 'as JSON', false)
    .action((version: string | undefined, { json }: { json: boolean }) => printVersionReport(version, json));

  program
    .command('publish')
    .description('serve a version that was built and not published')
    .argument('<version>')
    .option('--force', 'although its checks have failed', false)
    .option('--json', 'as JSON', false)
    .action((version: string, { force, json }: { force: boolean; json: boolean }) =>
      publishBuilt(version, force, json),
    );

  program
    .command('rollback')
    .description('serve an earlier version again')
    .argument('[version]', 'default: the one served before')
    .option('--json', 'as JSON', false)
    .action((version: string | undefined, { json }: { json: boolean }) => rollBack(version, json));

  program
    .command('prune')
    .description('remove all but the newest versions')
    .option('--keep <count>', 'how many to keep', wholeNumber)
    .option('--json', 'as JSON', false)
    .action(({ keep, json }: { keep?: number; json: boolean }) => pruneVersions(keep, json));

  return program;
}

function calendarDay(text: string): string {
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text))
    return text;
  throw new InvalidArgumentError(`${text} is no calendar day YYYY-MM-DD`);
}

function wholeNumber(text: string): number {
  if (/^[1-9][0-9]*$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`${text} is no whole number above 0`);
}

async function runBuild(source: string, flags: BuildFlags): Promise<ExitCode> {
  return stoppable((signal) => buildAndTell({ ...buildOptions(readSettings(), source, flags), signal }, flags));
}

/** Turns the first signal into an orderly end; a second one ends the process at once. */
async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    stop.abort(new Stopped(name as keyof typeof STOPPED));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

async function buildAndTell(options: BuildOptions, flags: BuildFlags): Promise<ExitCode> {
  const say = (event: object, text: string) =>
    process.stdout.write(flags.json ? `${JSON.stringify(event)}\n` : `${text}\n`);
  if (flags.backfill) {
    const outcome = await backfill(options);
    say(
      { event: 'backfilled', ...outcome },
      `The history of ${outcome.units} units as of ${outcome.exportDay} was taken in; the next build has it.`,
    );
    return EXIT.done;
  }
  const { report, publication, pruned } = await build(options);
  say({ event: 'report', ...report }, printReport(report));
  const removed = pruned.length > 0 ? `; removed ${pruned.join(', ')}` : '';
  if (publication === null) {
    say(
      { event: 'not published', version: report.version, failedChecks: report.failedChecks, pruned },
      `NOT PUBLISHED: ${report.failedChecks.length} checks failed; what was served is still served.\n` +
        `To serve it all the same: npm run ingest -- publish ${report.version} --force${removed}`,
    );
    return EXIT.notPublished;
  }
  const forced = publication.forced === undefined ? '' : ' (forced)';
  say({ event: 'published', ...publication, pruned }, `Published ${publication.version}${forced}${removed}`);
  return EXIT.done;
}

function buildOptions(
  settings: Settings,
  source: string,
  flags: Pick<BuildFlags, 'day' | 'force' | 'json'>,
): BuildOptions {
  return {
    source,
    warehouse: warehouseFolder(settings),
    day: flags.day ?? null,
    force: flags.force,
    band: { shrink: settings.BAND_SHRINK, grow: settings.BAND_GROW },
    keep: settings.KEEP_VERSIONS,
    threads: settings.INGEST_WORKERS,
    memoryMb: settings.INGEST_MEMORY_MB,
    progress: flags.json ? machineProgress(process.stdout) : humanProgress(process.stderr),
  };
}

const SAMPLE_FOLDER = new URL('../data/sample/', import.meta.url).pathname;

/** What `npm start` does first: a service without data answers nothing. */
async function ensureVersion(): Promise<ExitCode> {
  const settings = readSettings();
  if (currentPublication(warehouseFolder(settings)) !== null) return EXIT.done;
  const sample = readdirSync(SAMPLE_FOLDER).find((file) => file.endsWith('.zip'));
  if (sample === undefined) throw new Error(`There is no sample export in ${SAMPLE_FOLDER}`);
  process.stdout.write(`No dataset version yet: building one from the sample export ${sample}\n`);
  return runBuild(join(SAMPLE_FOLDER, sample), { force: false, backfill: false, json: false });
}

function printStatus(json: boolean): void {
  const warehouse = warehouseFolder(readSettings());
  const served = currentPublication(warehouse);
  const building = buildAtWork(warehouse);
  if (json) {
    process.stdout.write(`${JSON.stringify({ served, building, versions: listVersions(warehouse).length })}\n`);
    return;
  }
  const serving =
    served === null
      ? 'Nothing is served yet.'
      : `Served: ${served.version}, export of ${served.exportDay}, published ${served.publishedAt} by ${served.cause}` +
        (served.forced === undefined ? '' : `, forced in spite of: ${served.forced.join('; ')}`);
  const work =
    building === null
      ? 'No build is at work.'
      : `At work: process ${building.pid} since ${building.startedAt}, ${building.task}`;
  process.stdout.write(`${serving}\n${work}\n${listVersions(warehouse).length} versions in ${warehouse}\n`);
}

function printVersions(json: boolean): void {
  const warehouse = warehouseFolder(readSettings());
  const published = publications(warehouse);
  const served = published.at(-1)?.version;
  const rows = listVersions(warehouse).map((version) => {
    const report = readReport(warehouse, version.id);
    return {
      ...version,
      served: version.id === served,
      publishedAt: published.findLast((publication) => publication.version === version.id)?.publishedAt ?? null,
      units: report === null ? null : Object.values(report.units).reduce((sum, count) => sum + count, 0),
      failedChecks: report?.failedChecks ?? [],
    };
  });
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  if (rows.length === 0) process.stdout.write(`No versions in ${warehouse}\n`);
  for (const { id, served: isServed, publishedAt, units, failedChecks } of rows) {
    const state = publishedAt === null ? `not published: ${failedChecks.join('; ')}` : `published ${publishedAt}`;
    process.stdout.write(`${isServed ? '*' : ' '} ${id}  ${units ?? '?'} units  ${state}\n`);
  }
}

function printVersionReport(version: string | undefined, json: boolean): void {
  const warehouse = warehouseFolder(readSettings());
  const id = version ?? currentPublication(warehouse)?.version;
  if (id === undefined) throw new BuildRefused('Nothing is served yet, so there is no report.');
  const report = readReport(warehouse, id);
  if (report === null) throw new BuildRefused(`There is no version ${id}. Those there are: npm run ingest -- versions`);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${printReport(report)}\n`);
}

/** Runs a change of the pointer or of the versions while no build is at work. */
async function exclusively<T>(task: string, change: (warehouse: string, settings: Settings) => T): Promise<T> {
  const settings = readSettings();
  const warehouse = warehouseFolder(settings);
  if (listVersions(warehouse).length === 0) throw new BuildRefused(`There are no versions in ${warehouse}`);
  return alone(warehouse, task, () => change(warehouse, settings));
}

function requireVersion(warehouse: string, version: string): void {
  if (listVersions(warehouse).some(({ id }) => id === version)) return;
  throw new BuildRefused(`There is no version ${version}. Those there are: npm run ingest -- versions`);
}

const print = (json: boolean, result: object, text: string): void => {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${text}\n`);
};

function publishBuilt(version: string, force: boolean, json: boolean): Promise<void> {
  return exclusively(`publishing ${version}`, (warehouse) => {
    requireVersion(warehouse, version);
    const served = currentPublication(warehouse);
    if (served?.version === version) throw new BuildRefused(`${version} is the version served`);
    const report = readReport(warehouse, version);
    if (report?.previousVersion !== (served?.version ?? null)) {
      throw new BuildRefused(
        `${version} was built upon ${report?.previousVersion ?? 'nothing'}, but ${served?.version ?? 'nothing'} is served: ` +
          'its history would miss what came between. Build the export again.',
      );
    }
    const failed = report?.failedChecks ?? [];
    if (failed.length > 0 && !force) {
      throw new BuildRefused(
        `${version} failed its checks:\n${failed.map((fault) => `  ${fault}`).join('\n')}\n--force publishes it.`,
      );
    }
    const publication = publish(warehouse, version, 'build', new Date(), [...failed]);
    print(json, publication, `Published ${version}${failed.length > 0 ? ' (forced)' : ''}`);
  });
}

function rollBack(wanted: string | undefined, json: boolean): Promise<void> {
  return exclusively('roll-back', (warehouse) => {
    const served = currentPublication(warehouse);
    if (served === null) throw new BuildRefused('Nothing is served yet, so there is nothing to go back from.');
    const present = new Set(listVersions(warehouse).map(({ id }) => id));
    const target =
      wanted ??
      publications(warehouse).findLast(({ version, sequence }) => present.has(version) && sequence < served.sequence)
        ?.version;
    if (target === undefined) throw new BuildRefused('There is no earlier version to go back to.');
    requireVersion(warehouse, target);
    if (target === served.version) throw new BuildRefused(`${target} is the version served`);
    if (!publications(warehouse).some(({ version }) => version === target)) {
      throw new BuildRefused(`${target} was never served. To serve it: npm run ingest -- publish ${target}`);
    }
    const publication = publish(warehouse, target, 'rollback', new Date());
    print(json, publication, `Serving ${target} again (was ${served.version})`);
  });
}

function pruneVersions(keep: number | undefined, json: boolean): Promise<void> {
  return exclusively('pruning', (warehouse, settings) => {
    const removed = prune(warehouse, keep ?? settings.KEEP_VERSIONS);
    print(json, { removed }, removed.length === 0 ? 'Nothing to remove' : `Removed ${removed.join(', ')}`);
  });
}
