import { expect, test } from 'vitest';
import { newRequests, repeating } from './mix.ts';
import { type BenchRequest, independent, type Question } from './question.ts';
import { seeded } from './random.ts';
import { SMALL_SAMPLE } from './small-sample.ts';

/** A question of which there are this many. */
const question = (different: number): Question => ({
  ...{ id: 'some', name: 'some', aims: { p50: 1, p99: 1 } },
  requests: independent(
    (_, random): BenchRequest => ({ path: `/v1/units?place=${random.below(different)}`, sql: [], pairs: () => [] }),
  ),
});

const get = () => Promise.reject(new Error('asked'));

test('new questions were never asked, and are asked from now on', async () => {
  const asked = new Set(['/v1/units?place=0', '/v1/units?place=1']);
  const context = { sample: SMALL_SAMPLE, get, asked };
  const first = await newRequests(question(1000), context, { count: 50, seed: 1 });
  const second = await newRequests(question(1000), context, { count: 50, seed: 1 });
  const paths = [...first, ...second].map(({ path }) => path);
  expect(new Set(paths).size).toBe(100);
  expect(paths).not.toContain('/v1/units?place=0');
  expect(asked.size).toBe(102);
});

test('a question of which few exist brings those', async () => {
  const context = { sample: SMALL_SAMPLE, get, asked: new Set<string>() };
  expect(await newRequests(question(7), context, { count: 50, seed: 1 })).toHaveLength(7);
});

test('three of four were asked before, and the new ones come in between', () => {
  const fresh = Array.from({ length: 100 }, (_, place) => `new ${place}`);
  const mix = repeating(fresh, ['known a', 'known b'], seeded(1));
  expect(mix).toHaveLength(400);
  for (let group = 0; group < 100; group++) {
    expect(mix.slice(group * 4, group * 4 + 4).filter((text) => text.startsWith('new'))).toEqual([`new ${group}`]);
  }
  expect(new Set(mix.map((text, place) => (text.startsWith('new') ? place % 4 : 0))).size).toBe(4);
});
