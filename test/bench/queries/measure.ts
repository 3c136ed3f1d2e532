import type { Beside } from './beside.ts';
import { type Body, type Client, Refused } from './client.ts';
import type { Ask, Pairs, Question } from './question.ts';
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
  readonly asked: Ask[];
  /** The answers to the first requests, for comparison with others. */
  readonly answers: Body[];
}

/** Seeds: what warms up is not what is measured. */
const WARM_UP = 1;
const MEASURED = 2;
const WARM_UP_REQUESTS = 20;
const COMPARED = 20;

/** Asks with other values first, then measures. @throws Refused when a request is not answered */
export async function measureService(
  question: Question,
  sample: Sample,
  client: Client,
  budget: Budget,
): Promise<{ warmUp: Measured; measured: Measured }> {
  const run = (seed: number, limits: Budget) =>
    askService(question.asks(sample, seeded(seed), client.get), client, limits);
  const warmUp = await run(WARM_UP, { ...budget, requests: WARM_UP_REQUESTS });
  return { warmUp, measured: await run(MEASURED, budget) };
}

async function askService(asks: ReturnType<Question['asks']>, client: Client, budget: Budget): Promise<Measured> {
  const measured: Measured = { times: [], asked: [], answers: [] };
  const end = performance.now() + budget.seconds * 1000;
  let next = await asks.next();
  while (measured.times.length < budget.requests && performance.now() < end) {
    const ask = next.value;
    const answer = await client.get(ask.path, ask.headers);
    if (answer.status !== (ask.status ?? 200)) throw new Refused(`${ask.path} answered ${answer.status}`);
    measured.times.push(answer.milliseconds);
    measured.asked.push(ask);
    if (measured.answers.length < COMPARED && ask.status === undefined) measured.answers.push(answer.json());
    next = await asks.next(answer);
  }
  return measured;
}

/** The times of the same questions at another system, and the differences of the first answers. */
export interface Compared {
  /** Milliseconds of each question. */
  readonly times: number[];
  /** The times of its first statement alone. */
  readonly firstTimes: number[];
  readonly differences: string[];
}

/** Asks somebody else what the service was asked, as far as the budget goes. */
export async function measureBeside(
  { warmUp, measured }: { readonly warmUp: Measured; readonly measured: Measured },
  beside: Beside,
  budget: Budget,
): Promise<Compared> {
  await askBeside(warmUp, beside, { ...budget, seconds: budget.seconds / 4 });
  return askBeside(measured, beside, budget);
}

async function askBeside({ asked, answers }: Measured, beside: Beside, { seconds }: Budget): Promise<Compared> {
  const compared: Compared = { times: [], firstTimes: [], differences: [] };
  const end = performance.now() + seconds * 1000;
  for (const [place, ask] of asked.entries()) {
    if (performance.now() >= end) break;
    const told = await beside.ask(ask);
    compared.times.push(told.milliseconds);
    compared.firstTimes.push(told.firstMilliseconds);
    if (place >= answers.length) continue;
    const found = told.differences(answers[place]);
    compared.differences.push(...found.map((difference) => `${ask.path.slice(0, 200)}: ${difference}`));
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
