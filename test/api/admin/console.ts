import { Readable } from 'node:stream';
import { pino } from 'pino';
import type { Run } from '../../../api/admin/carry-out.ts';
import { execute } from '../../../api/admin/execute.ts';
import { runProgram } from '../../../api/admin/program.ts';
import type { Terminal } from '../../../api/admin/terminal.ts';
import { readSettings, type Settings } from '../../../runtime/settings.ts';
import { type OrgStore, openOrgStore } from '../../../sql/org/store.ts';
import { temporaryFolder } from '../../conformance/fixture.ts';
import { preparedStore } from '../../support/prepared-store.ts';

/** The command line over a store, in this process: every command as it is typed. */
export interface Console {
  readonly store: OrgStore;
  readonly settings: Settings;
  /** Lines that the commands left in the service's log so far. */
  readonly log: readonly Record<string, unknown>[];
  /** Runs words, as an array or as one line without quotes. @param input what stands on standard input */
  run(words: string | readonly string[], input?: string): Promise<Said>;
  /** The same, of which a JSON result is expected. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  json(words: string | readonly string[], input?: string): Promise<any>;
  close(): Promise<void>;
}

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Types words at a command line whose commands are carried out by `run`. @param input what stands on standard input */
export async function type(words: string | readonly string[], run: Run, input = ''): Promise<Said> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal: Terminal = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    input: Readable.from([input]),
  };
  const code = await runProgram(typeof words === 'string' ? words.split(' ') : words, terminal, run);
  return { code, out: out.join(''), err: err.join('') };
}

export async function openConsole(url?: string): Promise<Console> {
  const state = temporaryFolder();
  const settings = readSettings({ STATE_DIR: state.path, ORG_STORE_URL: url ?? (await preparedStore()) });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const store = await openOrgStore(settings, log);
  await store.migrate('apply');

  const run: Console['run'] = (words, input) =>
    type(words, (command, typed) => execute(command, typed, { store, settings, log }), input);
  return {
    store,
    settings,
    log: lines,
    run,
    async json(words, input) {
      const typed = typeof words === 'string' ? words.split(' ') : words;
      const { code, out, err } = await run([...typed, '--json'], input);
      if (code !== 0) throw new Error(`Ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
    async close() {
      await store.close();
      state.remove();
    },
  };
}
