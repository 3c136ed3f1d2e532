import { Agent, get } from 'node:http';
import { json } from 'node:stream/consumers';
import { timesOf } from './times.ts';

/**
 * A process of many clients: reads a Load as JSON from its standard input, and writes a LoadResult to its standard
 * output. Each client has a connection of its own, and sends the next request of the list as soon as the last is answered,
 * until the time is over or the list is.
 */

export interface Load {
  readonly url: string;
  readonly key: string;
  readonly clients: number;
  readonly seconds: number;
  readonly requests: readonly { readonly path: string; readonly headers?: Readonly<Record<string, string>> }[];
}

export interface LoadResult {
  readonly clients: number;
  /** Requests that were sent: the first ones of the list. */
  readonly sent: number;
  readonly seconds: number;
  /** Processor time of this process meanwhile. */
  readonly cpuSeconds: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests without an answer, or answered by another status than 200 and 304. */
  readonly errors: number;
}

if (import.meta.main) process.stdout.write(JSON.stringify(await runLoad((await json(process.stdin)) as Load)));

async function runLoad({ url, key, clients, seconds, requests }: Load): Promise<LoadResult> {
  const times: number[] = [];
  let errors = 0;
  let next = 0;
  const [begun, before] = [performance.now(), process.cpuUsage()];
  const end = begun + seconds * 1000;
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < end && next < requests.length) {
      const { path, headers } = requests[next++]!;
      const sent = performance.now();
      const status = await statusOf(url + path, { authorization: `Bearer ${key}`, ...headers }, agent);
      times.push(performance.now() - sent);
      if (status !== 200 && status !== 304) errors++;
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(before);
  const { count, p50, p99 } = timesOf(times);
  return {
    ...{ clients, sent: count, seconds: elapsed, cpuSeconds: (user + system) / 1e6 },
    ...{ requestsPerSecond: count / elapsed, p50, p99, errors },
  };
}

/** @returns the status when the last byte is there; 0 when there is no answer */
function statusOf(url: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    get(url, { headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
      response.on('error', () => resolve(0));
    }).on('error', () => resolve(0));
  });
}
