import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, freePort } from '../../support/listening.ts';

/** Prometheus itself, where the machine has it (Debian's package `prometheus`). */

/** True: the tests that need it can run here. */
export const hasPrometheus = (): boolean => {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export interface Prometheus {
  /** Asks for the value of an expression now, or over the last seconds. @throws Error that says what is wrong */
  query(expression: string, lastSeconds?: number): Promise<readonly Series[]>;
  stop(): Promise<void>;
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

/** Starts a server that reads the metrics of a service every second, under the job `energy`. */
export async function startPrometheus(folder: string, metricsUrl: string, rules: string): Promise<Prometheus> {
  mkdirSync(folder, { recursive: true });
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'energy', static_configs: [{ targets: [new URL(metricsUrl).host] }] }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      // Debian's package has the pages of its console in other places, or not at all.
      ...['--web.console.templates', '--web.console.libraries'].map((option) => `${option}=${folder}`),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await answering('Prometheus', `http://${address}/-/ready`, child);
  return {
    async query(expression, lastSeconds) {
      const now = Date.now() / 1000;
      const range: Record<string, string> =
        lastSeconds === undefined ? {} : { start: String(now - lastSeconds), end: String(now), step: '1' };
      const path = lastSeconds === undefined ? 'query' : 'query_range';
      const body = new URLSearchParams({ query: expression, ...range });
      const answer = await (await fetch(`http://${address}/api/v1/${path}`, { method: 'POST', body })).json();
      if (answer.status !== 'success') throw new Error(`${expression}: ${answer.error}`);
      return answer.data.result;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
