import { describe, expect, test } from 'vitest';
import { keepAnswers } from '../../dashboards/web/v1/kept-answers.ts';

describe('answers are kept', () => {
  const keeper = () => {
    const clock = { now: 0 };
    return { clock, kept: keepAnswers<string>({ milliseconds: 100, room: 10, now: () => clock.now }) };
  };

  test('for a time, which begins anew with a new answer', () => {
    const { clock, kept } = keeper();
    kept.put('a', 'old', 1);
    clock.now = 99;
    expect(kept.get('a')).toBe('old');
    kept.put('a', 'new', 1);
    clock.now = 150;
    expect(kept.get('a')).toBe('new');
    clock.now = 199;
    expect(kept.get('a')).toBeUndefined();
  });

  test('while there is room: the oldest go first, and one that needs more than all of it is not kept', () => {
    const { kept } = keeper();
    kept.put('a', 'A', 4);
    kept.put('b', 'B', 4);
    kept.put('a', 'A again', 4);
    kept.put('c', 'C', 4);
    expect(['a', 'b', 'c'].map((id) => kept.get(id))).toEqual(['A again', undefined, 'C']);
    kept.put('c', 'huge', 11);
    expect(['a', 'c'].map((id) => kept.get(id))).toEqual(['A again', undefined]);
    kept.put('d', 'D', 6);
    expect(['a', 'd'].map((id) => kept.get(id))).toEqual(['A again', 'D']);
  });

  test('until all are forgotten', () => {
    const { kept } = keeper();
    kept.put('a', 'A', 10);
    kept.clear();
    kept.put('b', 'B', 10);
    expect(['a', 'b'].map((id) => kept.get(id))).toEqual([undefined, 'B']);
  });
});
