import { Readable } from 'node:stream';
import { pino } from 'pino';
import { execute } from '../../../api/admin/execution/execute.ts';
import type { Execute } from '../../../api/admin/execution/invoke.ts';
import { runAtStore } from '../../../api/admin/execution/run-at-store.ts';
import { runAdmin } from '../../../api/admin/program.ts';
import { EXIT } from '../../../runtime/command-line/exit.ts';
import type { Terminal } from '../../../runtime/command-line/terminal.ts';
import { readSettings, type Settings } from '../../../runtime/settings.ts';
import { type OrgStore, openOrgStore } from '../../../sql/org/store.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { storeAnywhere } from '../../support/prepared-store.ts';

/** The administration over a store, in this process. */
export interface Console {
  readonly store: OrgStore;
  readonly settings: Settings;
  /** The lines of the service's log so far. */
  readonly log: readonly Record<string, unknown>[];
  /** Runs a command line, as an array or as one line without quotes. @param input the content of standard input */
  run(words: string | readonly string[], input?: string): Promise<Output>;
  /** Runs a command line with --json. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  json(words: string | readonly string[], input?: string): Promise<any>;
  /** Runs a command line that has to be refused. @returns the message */
  refusal(words: string | readonly string[], input?: string): Promise<string>;
  close(): Promise<void>;
}

export interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** May tell the user of a delay. */
type NotifyingExecute = (...words: [...Parameters<Execute>, notify: Terminal['err']]) => ReturnType<Execute>;

/** Runs a command line whose commands `execute` executes. @param input the content of standard input */
export async function runCommandLine(
  words: string | readonly string[],
  execute: NotifyingExecute,
  input = '',
): Promise<Output> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal: Terminal = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    input: Readable.from([input]),
  };
  const line = typeof words === 'string' ? words.split(' ') : words;
  const code = await runAdmin(line, terminal, (command, raw) => execute(command, raw, terminal.err));
  return { code, out: out.join(''), err: err.join('') };
}

/** Runs a command line as `npm run admin --` does, without a process: at the store that the environment names. */
export const runAdminHere = (
  words: string | readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Output> =>
  runCommandLine(words, (command, raw, notify) => runAtStore(command, raw, readSettings(environment), notify));

export async function openConsole(url?: string): Promise<Console> {
  const state = temporaryFolder();
  const settings = readSettings({ STATE_DIR: state.path, ORG_STORE_URL: url ?? (await storeAnywhere()) });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const store = await openOrgStore(settings, log);
  await store.migrate('apply');

  const run: Console['run'] = (words, input) =>
    runCommandLine(words, (command, raw) => execute(command, raw, { store, settings, log }), input);
  return {
    store,
    settings,
    log: lines,
    run,
    async json(words, input) {
      const line = typeof words === 'string' ? words.split(' ') : words;
      const { code, out, err } = await run([...line, '--json'], input);
      if (code !== 0) throw new Error(`Ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
    async refusal(words, input) {
      const { code, out, err } = await run(words, input);
      if (code !== EXIT.refused || out !== '') throw new Error(`Was not refused, but ended with ${code}: ${out}${err}`);
      return err;
    },
    async close() {
      await store.close();
      state.remove();
    },
  };
}
