import { describe, expect, test } from 'vitest';
import { seeded } from './random.ts';
import { SMALL_SAMPLE } from './small-sample.ts';

describe('random choices', () => {
  const drawn = (seed: number) => {
    const random = seeded(seed);
    return Array.from({ length: 50 }, () => random.below(1000));
  };

  test('are the same for the same seed, and others for another', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  test('reach every item', () => {
    const random = seeded(1);
    expect(new Set(Array.from({ length: 200 }, () => random.of(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
  });

  test('take some items, each once, and no more than there are', () => {
    const taken = seeded(1).some(5, [1, 2, 3]);
    expect(taken.sort()).toEqual([1, 2, 3]);
    expect(seeded(1).some(2, [1, 2, 3])).toHaveLength(2);
    expect(() => seeded(1).of([])).toThrow(RangeError);
  });
});

describe('a sample', () => {
  test('returns units that have all the requested values', () => {
    const random = seeded(3);
    for (let time = 0; time < 20; time++) {
      expect(SMALL_SAMPLE.unitWith(random, 'bundesland', 'plz').mastrNummer).not.toBe('SEE900000000002');
    }
  });

  test('returns words of one unit, of letters that need no folding', () => {
    const random = seeded(3);
    const pairs = new Set(Array.from({ length: 50 }, () => SMALL_SAMPLE.words(random).join(' ')));
    expect([...pairs].sort()).toEqual(['hohe fladungen', 'sonnenhof steben', 'windpark fladungen']);
  });

  test('returns the first three letters of words', () => {
    const random = seeded(3);
    expect(new Set(Array.from({ length: 50 }, () => SMALL_SAMPLE.beginning(random)))).toEqual(
      new Set(['son', 'win', 'hoh']),
    );
  });
});
