import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Subject } from '../support/subject.ts';
import type { Load, LoadResult } from './clients.ts';
import type { BenchRequest } from './question.ts';
import { seeded } from './random.ts';

const CLIENTS = 32;
const SECONDS = 20;
const SEED = 3;

/** Many clients at once, from a process of their own, each row of the table asked equally often. */
export async function throughput(subject: Subject, rows: readonly (readonly BenchRequest[])[]): Promise<LoadResult> {
  const most = Math.max(...rows.map((row) => row.length));
  const mix = rows.flatMap((row) => Array.from({ length: most }, (_, place) => row[place % row.length]!));
  const load: Load = {
    url: subject.url,
    key: subject.key,
    clients: CLIENTS,
    seconds: SECONDS,
    requests: seeded(SEED)
      .some(mix.length, mix)
      .map(({ path, headers }) => ({ path, headers: headers ?? {} })),
  };
  const child = spawn(process.execPath, [new URL('clients.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify(load));
  const output = await text(child.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`The clients ended with ${code}`);
  return JSON.parse(output) as LoadResult;
}
