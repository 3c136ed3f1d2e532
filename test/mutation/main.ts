import { Stryker } from '@stryker-mutator/core';
import { Command, InvalidArgumentError } from 'commander';

/**
 * `npm run mutation`: how strong the tests of a room are. Each mutant is a small fault in the code of the room; the score is
 * the share of faults that some test of the room finds. It takes minutes to hours, and is no part of `npm test`.
 */

/** Rooms, and the tests that specify them: those that run in the process of the runner. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'sql/query': ['test/sql/query'],
  'api/chain': ['test/api/chain'],
  'ingest/scan': ['test/ingest/scan'],
  'sql/eeg': ['test/sql/eeg'],
};

const program = new Command('npm run mutation --')
  .description('Measures which small faults in a room the tests of that room find.')
  .argument('[rooms...]', `some of ${Object.keys(ROOMS).join(', ')} (default: all)`, known, Object.keys(ROOMS))
  .option('--one-in <n>', 'tries one of so many mutants, always the same ones', positive, 1)
  .option('--files <glob>', 'only these files of the room', '*.ts')
  .option('--workers <n>', 'mutants that are tried at once', positive, 2);

await program.parseAsync();

const { oneIn, files, workers } = program.opts<{ oneIn: number; files: string; workers: number }>();
for (const room of program.processedArgs[0] as readonly string[]) {
  process.env.MUTATION_TESTS = ROOMS[room]?.join(',');
  process.env.MUTATION_ONE_IN = String(oneIn);
  await new Stryker({
    mutate: [`${room}/${files}`],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false, pool: 'forks' },
    plugins: ['@stryker-mutator/vitest-runner', './test/mutation/one-in.ts'],
    ignorers: ['one-in'],
    coverageAnalysis: 'perTest',
    // A mutant in code that runs once, when a module is loaded, would need the whole run anew.
    ignoreStatic: true,
    concurrency: workers,
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 20,
    tempDirName: '.mutation',
    // TypeScript 7 has no interface for what would be done to it.
    tsconfigFile: 'none',
    ignorePatterns: ['var', '.bench', 'docs/images', 'coverage'],
    reporters: ['clear-text', 'json'],
    jsonReporter: { fileName: `.mutation/${room.replace('/', '-')}.json` },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    disableTypeChecks: true,
    checkers: [],
  }).runMutationTest();
}

function known(room: string, before: readonly string[]): readonly string[] {
  if (!(room in ROOMS)) throw new InvalidArgumentError(`must be one of ${Object.keys(ROOMS).join(', ')}`);
  return before === undefined || before.length === Object.keys(ROOMS).length ? [room] : [...before, room];
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 on');
  return Number(text);
}
