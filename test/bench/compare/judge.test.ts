import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judged, median, type Unit } from './judge.ts';

describe('the median', () => {
  test.each([
    [[3], 3],
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[10, 9], 9.5],
    [[], null],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test('has as many values above it as below', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const middle = median(values)!;
        expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(values.length / 2);
        expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });
});

describe('a step backwards', () => {
  const verdict = (against: number[], ours: number[], unit: Unit = 's') =>
    judged({ name: 'build', unit, against, ours }).verdict;

  test('is marked when every run is beyond every run before, and the medians differ by more than noise', () => {
    expect(verdict([10, 11, 10], [13, 14, 12])).toBe('worse');
    expect(verdict([13, 14, 12], [10, 11, 10])).toBe('better');
  });

  test('is none when runs overlap', () => {
    expect(verdict([10, 10, 15], [14, 20, 20])).toBe('alike');
  });

  test('is none within the noise, which processor time has less of', () => {
    expect(verdict([100], [114])).toBe('alike');
    expect(verdict([100], [116])).toBe('worse');
    expect(verdict([100], [109], 'CPU-s')).toBe('alike');
    expect(verdict([100], [111], 'CPU-s')).toBe('worse');
  });

  test('is none where one of them could not be measured', () => {
    expect(judged({ name: 'build', unit: 's', against: [], ours: [3] })).toEqual({
      ...{ name: 'build', unit: 's', against: null, ours: 3, ratio: null, verdict: 'alike' },
    });
  });
});
