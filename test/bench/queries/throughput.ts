import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { processorTime, type Subject } from '../support/subject.ts';
import type { Client } from './client.ts';
import type { Load, LoadResult } from './clients.ts';
import { newRequests, repeating } from './mix.ts';
import type { BenchRequest, Question } from './question.ts';
import { seeded } from './random.ts';
import type { Sample } from './sample.ts';

const CLIENTS = 32;
const SECONDS = 15;

/** Of each question, enough for the aims: what is not new cannot be asked in its place. */
const FIRST = 600;
const SECOND = 500;

/** Seeds that nothing else draws from. */
const FIRST_SEED = 3;
const SECOND_SEED = 4;
const ORDER_SEED = 5;

/** The requests of many clients, in this order, one list after the other. */
export interface Mixes {
  readonly fresh: readonly BenchRequest[];
  /** One of four is new; the others are of those that the first list had answered. */
  repeated(sent: number): readonly BenchRequest[];
  /** Number of each question in the first list. */
  readonly counts: Readonly<Record<string, number>>;
}

/** @param before what this service has been asked: none of that is asked again as new */
export async function mixesOf(
  questions: readonly Question[],
  sample: Sample,
  client: Client,
  before: Iterable<string>,
): Promise<Mixes> {
  const context = { sample, get: client.get, asked: new Set(before) };
  const draw = async (count: number, seed: number) => {
    const drawn = new Map<string, BenchRequest[]>();
    for (const question of questions) drawn.set(question.id, await newRequests(question, context, { count, seed }));
    return drawn;
  };
  const [first, second] = [await draw(FIRST, FIRST_SEED), await draw(SECOND, SECOND_SEED)];
  const fresh = shuffled([...first.values()].flat());
  const others = shuffled([...second.values()].flat());
  return {
    fresh,
    repeated: (sent) => (sent === 0 ? [] : repeating(others, fresh.slice(0, sent), seeded(ORDER_SEED))),
    counts: Object.fromEntries([...first].map(([id, { length }]) => [id, length])),
  };
}

const shuffled = <Item>(items: readonly Item[]): Item[] => seeded(ORDER_SEED).some(items.length, items);

/** Many clients at a service, and what both took of the machine. */
export interface Throughput extends LoadResult {
  readonly serviceCpuSeconds: number;
  readonly processors: number;
}

/** Many clients at once, from a process of their own. */
export async function throughput(subject: Subject, requests: readonly BenchRequest[]): Promise<Throughput> {
  const load: Load = {
    ...{ url: subject.url, key: subject.key, clients: CLIENTS, seconds: SECONDS },
    requests: requests.map(({ path, headers }) => ({ path, headers: headers ?? {} })),
  };
  const before = processorTime(subject);
  const child = spawn(process.execPath, [new URL('clients.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify(load));
  const output = await text(child.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`The clients ended with ${code}`);
  return {
    ...(JSON.parse(output) as LoadResult),
    serviceCpuSeconds: (processorTime(subject) - before) / 1000,
    processors: availableParallelism(),
  };
}
