import { parseArguments } from '../runtime/command-line/command.ts';
import { type Program, runProgram } from '../runtime/command-line/program.ts';
import { processTerminal } from '../runtime/command-line/terminal.ts';
import { readSettings } from '../runtime/settings.ts';
import { backfillCommand } from './commands/backfill.ts';
import { buildCommand } from './commands/build.ts';
import type { IngestCommand } from './commands/command.ts';
import { ensureCommand } from './commands/ensure.ts';
import { eraseCommand } from './commands/erase.ts';
import { explainCommand } from './commands/explain.ts';
import { exportCommand } from './commands/export.ts';
import { fetchCommand } from './commands/fetch.ts';
import { nightlyCommand } from './commands/nightly.ts';
import { placesCommand } from './commands/places.ts';
import { pruneCommand } from './commands/prune.ts';
import { publishCommand } from './commands/publish.ts';
import { rebuildCommand } from './commands/rebuild.ts';
import { reportCommand } from './commands/report.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { statusCommand } from './commands/status.ts';
import { tableCommand } from './commands/table.ts';
import {
  tendersListCommand,
  tendersLoadCommand,
  tendersRemoveCommand,
  tendersShowCommand,
  tendersStatusCommand,
} from './commands/tenders.ts';
import { verifyCommand } from './commands/verify.ts';
import { versionsCommand } from './commands/versions.ts';
import { ingestFailureOf } from './run/failure.ts';

const NAME = 'npm run ingest --';

const PROGRAM: Program<IngestCommand> = {
  name: NAME,
  description: 'Builds and publishes dataset versions from exports of the register.',
  commands: [
    buildCommand,
    rebuildCommand,
    ensureCommand,
    statusCommand,
    versionsCommand,
    reportCommand,
    publishCommand,
    rollbackCommand,
    pruneCommand,
    tableCommand,
    eraseCommand,
    placesCommand,
    tendersListCommand,
    tendersLoadCommand,
    tendersStatusCommand,
    tendersShowCommand,
    tendersRemoveCommand,
    fetchCommand,
    nightlyCommand,
    scheduleCommand,
    backfillCommand,
    exportCommand,
    explainCommand,
    verifyCommand,
  ],
  groups: { tenders: 'Award lists and statistics of the tenders.' },
  run(command, { raw, json }) {
    const input = parseArguments(command, raw, { program: NAME });
    return command.run(input, { settings: readSettings(), json });
  },
  failureOf: ingestFailureOf,
};

/** Runs a command line of the ingest. @returns the exit code */
export const runIngest = (words: readonly string[]): Promise<number> => runProgram(PROGRAM, words, processTerminal);
