import { beforeAll, expect, test } from 'vitest';
import { type Plant, type Support, supportRules } from './plants.ts';

/** Tables of plants with the values that the rules must find. */

export interface Example {
  readonly title: string;
  readonly today: string;
  readonly plant: Plant;
  readonly expected: Partial<Support>;
}

export type AddExample = (title: string, plant: Plant, expected: Partial<Support>, today?: string) => void;

/** Returns a function that adds an example to the list. */
export const addingTo =
  (examples: Example[]): AddExample =>
  (title, plant, expected, today = '2026-11-22') => {
    examples.push({ title, plant, expected, today });
  };

/** Defines a test for each example. The rules are asked once for each day. */
export function testExamples(examples: readonly Example[]): void {
  let results: Map<Example, Support>;

  beforeAll(async () => {
    const rules = await supportRules();
    results = new Map();
    for (const today of new Set(examples.map((one) => one.today))) {
      const ofDay = examples.filter((one) => one.today === today);
      const support = await rules.supportOf(
        ofDay.map(({ plant }) => plant),
        today,
      );
      for (const [index, one] of ofDay.entries()) results.set(one, support[index]!);
    }
    rules.close();
  });

  test.each(examples)('$title', (one) => {
    expect(results.get(one)).toMatchObject(one.expected);
  });
}
