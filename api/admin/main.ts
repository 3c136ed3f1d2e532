import { setPrivateUmask } from '../../runtime/file-permissions.ts';
import { readSettings } from '../../runtime/settings.ts';
import { runProgram } from './program.ts';
import { runAtStore } from './reach.ts';
import type { Terminal } from './terminal.ts';

/** `npm run admin -- …`: the administration in a process of its own. */

setPrivateUmask();

// Who reads the output may have seen enough of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  input: process.stdin,
};

process.exitCode = await runProgram(process.argv.slice(2), terminal, (command, typed) =>
  runAtStore(command, typed, readSettings(), terminal.err),
);
