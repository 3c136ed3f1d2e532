import { Command, CommanderError } from 'commander';
import { readSettings } from '../runtime/settings.ts';
import { backfillCommand } from './commands/backfill.ts';
import { buildCommand } from './commands/build.ts';
import type { IngestCommand } from './commands/command.ts';
import { ensureCommand } from './commands/ensure.ts';
import { EXIT, type ExitCode, exitCodeOf, tell } from './commands/exit.ts';
import { exportCommand } from './commands/export.ts';
import { fetchCommand } from './commands/fetch.ts';
import { nightlyCommand } from './commands/nightly.ts';
import { pruneCommand } from './commands/prune.ts';
import { publishCommand } from './commands/publish.ts';
import { reportCommand } from './commands/report.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { statusCommand } from './commands/status.ts';
import { tableCommand } from './commands/table.ts';
import { verifyCommand } from './commands/verify.ts';
import { versionsCommand } from './commands/versions.ts';

/** The command line of the ingest: npm run ingest -- <command>. */

const COMMANDS: readonly IngestCommand[] = [
  buildCommand,
  ensureCommand,
  statusCommand,
  versionsCommand,
  reportCommand,
  publishCommand,
  rollbackCommand,
  pruneCommand,
  tableCommand,
  fetchCommand,
  nightlyCommand,
  scheduleCommand,
  backfillCommand,
  exportCommand,
  verifyCommand,
];

/** Runs a command and returns the exit code. */
export async function runIngest(words: readonly string[]): Promise<number> {
  let code: ExitCode = EXIT.done;
  const program = programOf((result) => {
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

function programOf(finish: (code: ExitCode) => void): Command {
  const program = new Command('npm run ingest --')
    .description('Builds and publishes dataset versions from exports of the register.')
    .exitOverride()
    .showHelpAfterError()
    .helpCommand(true);
  for (const { name, description, words, run } of COMMANDS) {
    words(program.command(name).description(description)).action(async (...handed) => {
      // Commander hands over the arguments, then the options, then the command itself.
      const [flags] = handed.splice(-2);
      finish((await run(readSettings(), flags, ...handed)) ?? EXIT.done);
    });
  }
  return program;
}
