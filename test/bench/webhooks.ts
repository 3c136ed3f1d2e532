import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOf } from './org.ts';
import { percentile } from './queries/times.ts';
import { ROOT } from './support/register.ts';
import { sampleWarehouse } from './support/sample.ts';
import { processorTime, type Subject, startChild, stopChild } from './support/subject.ts';
import { ENDPOINTS, type Kind } from './webhooks/kinds.ts';
import type { Arrivals } from './webhooks/receivers.ts';
import type { Count, Order } from './webhooks/soak-service.ts';

/**
 * Delivers many events to receivers of which some fail, hang, trickle, redirect, close, or lie about lengths, and tells when
 * messages arrived, what the service needed for it, and what it cost other requests.
 */

interface Options {
  readonly events: number;
  readonly perSecond: number;
  readonly organisations: number;
  /** Organisations with 20 hanging endpoints each. */
  readonly crowd: number;
  readonly engines: readonly string[];
  readonly cache: string;
}

/** The seconds that are measured before the first event. */
const QUIET_SECONDS = 10;

/** The seconds after the last event for messages that arrive at the second or third attempt, or wait in a queue. */
const PATIENCE_SECONDS = 600;

export async function benchWebhooks(options: Options): Promise<void> {
  mkdirSync(options.cache, { recursive: true });
  const warehouse = await sampleWarehouse(options.cache);
  for (const engine of options.engines) {
    const folder = mkdtempSync(join(options.cache, 'webhooks-'));
    const place = await placeOf(engine, folder);
    const receivers = await startChild<{ url: string; host: string; authorityFile: string }>(
      join(ROOT, 'test/bench/webhooks/receivers.ts'),
      [String(options.crowd)],
      {},
    );
    try {
      const { child, ready } = await startChild<Omit<Subject, 'child'>>(
        join(ROOT, 'test/bench/webhooks/soak-service.ts'),
        [],
        {
          PORT: '0',
          HOST: '127.0.0.1',
          BASE_URL: '',
          LOG_LEVEL: 'warn',
          STATE_DIR: folder,
          WAREHOUSE_URL: `duckdb:${warehouse}`,
          ORG_STORE_URL: place.url,
          ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
          WEBHOOK_ALLOWED_HOSTS: receivers.ready.host,
          NODE_EXTRA_CA_CERTS: receivers.ready.authorityFile,
        },
      );
      try {
        say(
          `${engine}: ${options.events} events of ${options.organisations} organisations to ${ENDPOINTS.length} endpoints`,
        );
        await soak({ child, ...ready }, receivers, options);
      } finally {
        await stopChild(child);
      }
    } finally {
      await stopChild(receivers.child);
      await place.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

interface Receivers {
  readonly child: ChildProcess;
  readonly ready: { readonly url: string };
}

async function soak(
  service: Subject,
  receivers: Receivers,
  { events, perSecond, organisations, crowd }: Options,
): Promise<void> {
  await tell(service, { order: 'arrange', receivers: receivers.ready.url, organisations, crowd });
  const quiet = watch(service);
  await sleep(QUIET_SECONDS * 1000);
  const before = await quiet.end();
  const busy = watch(service);
  await tell(service, { order: 'store', events, perSecond });
  const stored = (performance.now() - busy.began) / 1000;
  const counts = await untilArrived(service);
  const during = await busy.end();
  report({ counts, arrivals: await arrivalsOf(receivers), stored, before, during });
}

/** Waits until everything that can arrive has. */
async function untilArrived(service: Subject): Promise<Count[]> {
  const end = performance.now() + PATIENCE_SECONDS * 1000;
  while (true) {
    const counts = await tell<Count[]>(service, { order: 'count' });
    const open = counts.filter(({ url, delivered, deliveries }) => kindOf(url).arrives && delivered < deliveries);
    if (open.length === 0 || performance.now() > end) return counts;
    await sleep(2_000);
  }
}

const kindOf = (url: string): Kind => {
  const found = ENDPOINTS.find(({ path }) => url.endsWith(path));
  if (found === undefined) throw new Error(`${url} is none of the receivers`);
  return found.kind;
};

async function tell<Answer>({ child }: Subject, order: Order): Promise<Answer> {
  child.send(order);
  const [{ answer }] = await once(child, 'message');
  return answer as Answer;
}

async function arrivalsOf({ child }: Receivers): Promise<Arrivals> {
  child.send('report');
  const [arrivals] = await once(child, 'message');
  return arrivals as Arrivals;
}

interface Watched {
  readonly seconds: number;
  /** Latencies of GET /v1/me, asked ten times a second; milliseconds. */
  readonly latencies: readonly number[];
  /** Resident memory, MB, once a second. */
  readonly memory: readonly number[];
  /** Seconds of processor time. */
  readonly processor: number;
}

function watch(service: Subject): { readonly began: number; end(): Promise<Watched> } {
  const began = performance.now();
  const processor = processorTime(service);
  const latencies: number[] = [];
  const memory: number[] = [];
  let over = false;
  const asking = (async () => {
    const headers = { Authorization: `Bearer ${service.key}` };
    while (!over) {
      const asked = performance.now();
      const answer = await fetch(`${service.url}/v1/me`, { headers });
      await answer.text();
      if (answer.status !== 200) throw new Error(`/v1/me answered ${answer.status}`);
      latencies.push(performance.now() - asked);
      if (latencies.length % 10 === 0) memory.push(residentMb(service.child));
      await sleep(Math.max(0, 100 - (performance.now() - asked)));
    }
  })();
  return {
    began,
    async end() {
      over = true;
      await asking;
      const seconds = (performance.now() - began) / 1000;
      return { seconds, latencies, memory, processor: (processorTime(service) - processor) / 1000 };
    },
  };
}

const residentMb = ({ pid }: ChildProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

interface Measured {
  readonly counts: readonly Count[];
  readonly arrivals: Arrivals;
  readonly stored: number;
  readonly before: Watched;
  readonly during: Watched;
}

function report({ counts, arrivals, stored, before, during }: Measured): void {
  say(
    `  ${'receivers'.padEnd(18)}${['deliveries', 'delivered', 'failed', 'attempts'].map((head) => head.padStart(11)).join('')}` +
      '   seconds until they arrive: p50, p95, p99, most',
  );
  for (const [name, own] of Map.groupBy(counts, ({ url }) => kindOf(url).name)) {
    const sum = (member: 'deliveries' | 'delivered' | 'failed' | 'attempts') =>
      own.reduce((total, each) => total + each[member], 0);
    const cells = [sum('deliveries'), sum('delivered'), sum('failed'), sum('attempts')];
    say(`  ${name.padEnd(18)}${cells.map((cell) => String(cell).padStart(11)).join('')}   ${delays(name, arrivals)}`);
  }
  const attempts = counts.reduce((sum, each) => sum + each.attempts, 0);
  const missing = counts.filter(({ url, delivered, deliveries }) => kindOf(url).arrives && delivered < deliveries);
  say(
    `  ${missing.length === 0 ? 'Everything that can arrive has arrived' : `NOT ALL HAS ARRIVED: ${missing.map(({ url }) => url)}`}`,
  );
  say(
    `  events stored in ${stored.toFixed(0)} s, all arrived after ${during.seconds.toFixed(0)} s; ${attempts} attempts`,
  );
  say(
    `  processor time ${during.processor.toFixed(1)} s (quiet: ${((before.processor / before.seconds) * 100).toFixed(1)} % of a core), ` +
      `${((during.processor * 1000) / attempts).toFixed(2)} ms for an attempt`,
  );
  const every = Math.max(1, Math.floor(during.memory.length / 10));
  const course = during.memory.filter((_, index) => index % every === 0).map((mb) => mb.toFixed(0));
  say(
    `  memory ${before.memory.at(-1)?.toFixed(0)} MB before, then ${course.join(', ')}, most ${Math.max(...during.memory).toFixed(0)} MB`,
  );
  say(`  GET /v1/me, ms: quiet ${spread(before.latencies)}; meanwhile ${spread(during.latencies)}`);
}

const spread = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  return [50, 95, 99, 100].map((share) => `p${share} ${percentile(sorted, share).toFixed(1)}`).join(', ');
};

/** Seconds from an event to its first arrival; its id says when it was made. */
function delays(name: string, arrivals: Arrivals): string {
  const times = ENDPOINTS.filter(({ kind }) => kind.name === name)
    .flatMap(({ path }) => Object.entries(arrivals[path]?.first ?? {}))
    .map(([id, at]) => (at - timeOf(id)) / 1000)
    .toSorted((a, b) => a - b);
  if (times.length === 0) return 'none';
  return [50, 95, 99, 100].map((share) => percentile(times, share).toFixed(2)).join(', ');
}

/** The moment in a UUID of version 7, Unix milliseconds. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
