import type { Get } from './client.ts';
import type { BenchRequest, Question } from './question.ts';
import { type Random, seeded } from './random.ts';
import type { Sample } from './sample.ts';

/** The requests of many clients: every question equally often, in random order. */

/** Draws in a row that bring nothing new: then the question has no more to ask. */
const MAX_KNOWN = 200;

/**
 * Draws requests that were never asked: none is in `asked`, to which they are added. A question of which few different ones
 * exist brings fewer.
 */
export async function newRequests(
  { requests }: Question,
  { sample, get, asked }: { sample: Sample; get: Get; asked: Set<string> },
  { count, seed }: { count: number; seed: number },
): Promise<BenchRequest[]> {
  const source = requests(sample, seeded(seed), get);
  const found: BenchRequest[] = [];
  for (let known = 0; found.length < count && known < MAX_KNOWN; ) {
    const { value: request } = await source.next();
    if (asked.has(request.path)) {
      known++;
      continue;
    }
    known = 0;
    asked.add(request.path);
    found.push(request);
  }
  return found;
}

/** Of this many requests one is new, the others were asked before. */
const ONE_NEW_OF = 4;

/** Puts each new request among three of those that were asked before, drawn at random, each group in random order. */
export const repeating = <Request>(fresh: readonly Request[], before: readonly Request[], random: Random): Request[] =>
  fresh.flatMap((request) =>
    random.some(ONE_NEW_OF, [request, ...Array.from({ length: ONE_NEW_OF - 1 }, () => random.of(before))]),
  );
