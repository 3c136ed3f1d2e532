import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { TODAY } from './fixture.ts';
import { startNode } from './node-process.ts';

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  /** The process, with a channel for messages. */
  readonly child: ChildProcess;
  /** Resolves when it has ended, to the signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

export const MAIN = new URL('../../api/main.ts', import.meta.url);

/**
 * Starts a service and waits until it listens.
 * @param script prints `Listening on <url>` when it listens
 * @param places its STATE_DIR, the folder of WAREHOUSE_URL, and its ORG_STORE_URL
 * @param settings others of its environment
 * @param hear is called with all that it prints
 * @throws Error with its output when it ends before
 */
export async function startProcess(
  script: URL,
  places: { readonly state: string; readonly warehouse: string; readonly store: string },
  settings: Readonly<Record<string, string>> = {},
  hear: (output: string) => void = () => {},
): Promise<ServiceProcess> {
  const environment = {
    PORT: '0',
    TODAY,
    STATE_DIR: places.state,
    WAREHOUSE_URL: `duckdb:${places.warehouse}`,
    ORG_STORE_URL: places.store,
    DEMO: 'off',
    LOG_LEVEL: 'warn',
    QUERY_THREADS: '1',
    QUERY_MEMORY_MB: '128',
    ...settings,
  };
  const child = startNode(script, [], environment, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const ended = once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null);
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
        hear(text);
        const found = /Listening on (\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
    ended.then(() => reject(new Error(`The service ended before it listened:\n${output}`)));
  });
  return { url, child, ended };
}

/** Sends a signal and waits for the end. */
export async function end({ child, ended }: ServiceProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}
