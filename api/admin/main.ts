import { tolerateClosedOutput } from '../../runtime/closed-output.ts';
import { processTerminal } from '../../runtime/command-line/terminal.ts';
import { setPrivateUmask } from '../../runtime/file-permissions.ts';
import { readSettings } from '../../runtime/settings.ts';
import { runAtStore } from './execution/run-at-store.ts';
import { runAdmin } from './program.ts';

/** `npm run admin -- …`: the administration in a process of its own. */

setPrivateUmask();

tolerateClosedOutput();

process.exitCode = await runAdmin(process.argv.slice(2), processTerminal, (command, raw) =>
  runAtStore(command, raw, readSettings(), processTerminal.err),
);
