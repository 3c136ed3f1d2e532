import { tolerateClosedOutput } from '../runtime/closed-output.ts';
import { processTerminal } from '../runtime/command-line/terminal.ts';
import { runData } from './command-line.ts';

/** `npm run data -- …`: the generator in a process of its own. */

tolerateClosedOutput();

const stop = new AbortController();
for (const [name, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const) {
  process.on(name, () => {
    process.exitCode = 128 + number;
    stop.abort(new Error(`stopped by ${name}`));
  });
}

const code = await runData(process.argv.slice(2), {
  terminal: processTerminal,
  interactive: process.stderr.isTTY,
  signal: stop.signal,
});
// After a signal the exit code says which one.
process.exitCode ??= code;
