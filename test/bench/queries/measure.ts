import { type Body, type Client, Refused } from './client.ts';
import type { ComparedSystem } from './compared-system.ts';
import type { BenchRequest, Pairs, Question } from './question.ts';
import { seeded } from './random.ts';
import type { Sample } from './sample.ts';

/** The limits of a measurement: this many requests, or until the seconds are over. */
export interface Budget {
  readonly requests: number;
  readonly seconds: number;
}

/** The times of one question at the service. */
export interface Measured {
  /** Milliseconds of each request. */
  readonly times: number[];
  readonly requests: BenchRequest[];
  /** The answers to the first requests, for comparison with others. */
  readonly answers: Body[];
}

/** Seeds: what warms up is not what is measured. */
const WARM_UP = 1;
const MEASURED = 2;
const WARM_UP_REQUESTS = 20;
const COMPARED = 20;

/** Sends other values first, then measures. @throws Refused when a request is not answered */
export async function measureService(
  question: Question,
  sample: Sample,
  client: Client,
  budget: Budget,
): Promise<{ warmUp: Measured; measured: Measured }> {
  const run = (seed: number, limits: Budget) =>
    sendToService(question.requests(sample, seeded(seed), client.get), client, limits);
  const warmUp = await run(WARM_UP, { ...budget, requests: WARM_UP_REQUESTS });
  return { warmUp, measured: await run(MEASURED, budget) };
}

async function sendToService(
  requests: ReturnType<Question['requests']>,
  client: Client,
  budget: Budget,
): Promise<Measured> {
  const measured: Measured = { times: [], requests: [], answers: [] };
  const end = performance.now() + budget.seconds * 1000;
  let next = await requests.next();
  while (measured.times.length < budget.requests && performance.now() < end) {
    const request = next.value;
    const answer = await client.get(request.path, request.headers);
    if (answer.status !== (request.status ?? 200)) throw new Refused(`${request.path} answered ${answer.status}`);
    measured.times.push(answer.milliseconds);
    measured.requests.push(request);
    if (measured.answers.length < COMPARED && request.status === undefined) measured.answers.push(answer.json());
    next = await requests.next(answer);
  }
  return measured;
}

/** The times of the same requests at another system, and the differences of the first answers. */
export interface Compared {
  /** Milliseconds of each request. */
  readonly times: number[];
  /** The times of its first statement alone. */
  readonly firstTimes: number[];
  readonly differences: string[];
}

/** Sends the same requests to another system, as far as the budget goes. */
export async function measureCompared(
  { warmUp, measured }: { readonly warmUp: Measured; readonly measured: Measured },
  system: ComparedSystem,
  budget: Budget,
): Promise<Compared> {
  await sendToCompared(warmUp, system, { ...budget, seconds: budget.seconds / 4 });
  return sendToCompared(measured, system, budget);
}

async function sendToCompared(
  { requests, answers }: Measured,
  system: ComparedSystem,
  { seconds }: Budget,
): Promise<Compared> {
  const compared: Compared = { times: [], firstTimes: [], differences: [] };
  const end = performance.now() + seconds * 1000;
  for (const [place, request] of requests.entries()) {
    if (performance.now() >= end) break;
    const answer = await system.send(request);
    compared.times.push(answer.milliseconds);
    compared.firstTimes.push(answer.firstMilliseconds);
    if (place >= answers.length) continue;
    const found = answer.differences(answers[place]);
    compared.differences.push(...found.map((difference) => `${request.path.slice(0, 200)}: ${difference}`));
  }
  return compared;
}

/** Sums of capacities may differ in their last digits: one side adds decimals, the other doubles. */
const TOLERANCE = 1e-6;

/** The pairs that are not equal, as text. Numbers may differ by rounding, and null is absent. */
export function differing(pairs: Pairs): string[] {
  return pairs
    .filter(([, ours, theirs]) => !alike(ours, theirs))
    .map(([what, ours, theirs]) => `${what} ${ours}, not ${theirs}`);
}

function alike(ours: unknown, theirs: unknown): boolean {
  if (typeof ours === 'number') return Math.abs(ours - Number(theirs)) <= TOLERANCE * Math.max(1, Math.abs(ours));
  return (ours ?? null) === (theirs ?? null);
}
