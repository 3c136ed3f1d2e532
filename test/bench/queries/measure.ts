import { type Answer, type Body, type Client, Refused } from './client.ts';
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
  const warmUp = await sendSome(question, sample, client, { ...budget, requests: WARM_UP_REQUESTS, seed: WARM_UP });
  return { warmUp, measured: await sendSome(question, sample, client, { ...budget, seed: MEASURED }) };
}

/** Sends the requests of a seed, as far as the budget goes. @throws Refused when one is not answered */
export const sendSome = (
  { requests }: Question,
  sample: Sample,
  client: Client,
  { seed, ...budget }: Budget & { readonly seed: number },
): Promise<Measured> => sendToService(requests(sample, seeded(seed), client.get), client, budget);

async function sendToService(
  requests: ReturnType<Question['requests']>,
  client: Client,
  budget: Budget,
): Promise<Measured> {
  const measured: Measured = { times: [], requests: [], answers: [] };
  const end = performance.now() + budget.seconds * 1000;
  while (measured.times.length < budget.requests && performance.now() < end) {
    const { value: request } = await requests.next();
    const answer = await sendOne(request, client);
    measured.times.push(answer.milliseconds);
    measured.requests.push(request);
    // A request without an equivalent is compared with nothing, and need not be JSON.
    const isCompared = request.sql.length > 0 && request.status === undefined;
    if (isCompared && measured.answers.length < COMPARED) measured.answers.push(answer.json());
  }
  return measured;
}

/** @throws Refused when the status is not the expected one */
export async function sendOne({ path, headers, status }: BenchRequest, client: Client): Promise<Answer> {
  const answer = await client.get(path, headers);
  if (answer.status !== (status ?? 200)) throw new Refused(`${path.slice(0, 200)} answered ${answer.status}`);
  return answer;
}

/** The times of the same requests at another system, and the differences of the first answers. */
export interface Compared {
  /** Milliseconds of each request. */
  readonly times: number[];
  /** Those without what was counted beforehand; empty where that is the same. */
  readonly plainTimes: number[];
  readonly differences: string[];
}

/** Sends the same requests to another system, as far as the budget goes; the plain ones have as much again. */
export async function measureCompared(
  { warmUp, measured }: { readonly warmUp: Measured; readonly measured: Measured },
  system: ComparedSystem,
  { seconds }: Pick<Budget, 'seconds'>,
): Promise<Compared> {
  await sendToCompared(warmUp, system, seconds / 4);
  const compared = await sendToCompared(measured, system, seconds);
  const { sendPlain } = system;
  if (sendPlain === null || measured.requests.every(({ plainSql }) => plainSql === undefined)) {
    return { ...compared, plainTimes: [] };
  }
  await timesOfPlain(warmUp, sendPlain, seconds / 4);
  return { ...compared, plainTimes: await timesOfPlain(measured, sendPlain, seconds) };
}

async function sendToCompared(
  { requests, answers }: Measured,
  system: ComparedSystem,
  seconds: number,
): Promise<Omit<Compared, 'plainTimes'>> {
  const compared: Omit<Compared, 'plainTimes'> = { times: [], differences: [] };
  const end = performance.now() + seconds * 1000;
  for (const [place, request] of requests.entries()) {
    if (performance.now() >= end) break;
    const answer = await system.send(request);
    compared.times.push(answer.milliseconds);
    if (place >= answers.length) continue;
    const found = answer.differences(answers[place]);
    compared.differences.push(...found.map((difference) => `${request.path.slice(0, 200)}: ${difference}`));
  }
  return compared;
}

async function timesOfPlain(
  { requests }: Measured,
  sendPlain: (request: BenchRequest) => Promise<number>,
  seconds: number,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (const request of requests) {
    if (performance.now() >= end) break;
    times.push(await sendPlain(request));
  }
  return times;
}

/** Sentences about differences, each once, and not more than tell what is wrong. */
export function foremost(differences: readonly string[]): string[] {
  const different = [...new Set(differences)];
  const more = different.length - MAX_DIFFERENCES;
  return more <= 0 ? different : [...different.slice(0, MAX_DIFFERENCES), `and ${more} more differences`];
}

const MAX_DIFFERENCES = 3;

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
