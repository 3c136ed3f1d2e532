import { describe, expect, test } from 'vitest';
import { CODES } from '../../api/problem/codes.ts';
import type { Problem } from '../../dashboards/web/v1/problem.ts';
import { sentenceOf, wordsOf } from '../../dashboards/web/v1/problem-words.ts';

/** Pages tell problems in German, by their codes. */

const problem = (more: Partial<Problem>): Problem => ({
  status: 400,
  code: 'INVALID_PARAMETER',
  title: 'English title',
  detail: 'English detail',
  retryable: false,
  ...more,
});

/** Only the older variant has these, which pages do not ask. */
const OLDER = ['INVALID_PARAMS', 'INSUFFICIENT_TIER', 'RATE_LIMIT_EXCEEDED'];

describe('a problem', () => {
  test('has words of its own for every code of the interface', () => {
    const codes = Object.keys(CODES).filter((code) => !OLDER.includes(code));
    const words = codes.map((code) => wordsOf(problem({ code })));
    const unknown = wordsOf(problem({ code: 'NEW_CODE' }));
    expect(codes.filter((_, index) => words[index]?.title === unknown.title)).toEqual([]);
    expect(new Set(words.map(({ text }) => text)).size).toBe(codes.length);
    expect(words.filter(({ title, text }) => title === '' || !/[.!?]$/.test(text))).toEqual([]);
  });

  test('of a code that these pages do not know is told by its status, and never in English', () => {
    for (const status of [418, 500]) {
      expect(JSON.stringify(wordsOf(problem({ code: 'NEW_CODE', status })))).not.toContain('English');
    }
    expect(wordsOf(problem({ code: 'UNREACHABLE', status: 0, title: 'Weg', detail: 'Ganz weg.' }))).toEqual({
      title: 'Weg',
      text: 'Ganz weg.',
    });
  });

  test('names what is concerned, each once', () => {
    const errors = [
      { parameter: 'leistungMinKw', detail: 'must be a number' },
      { parameter: 'leistungMinKw', detail: 'is too small' },
      { pointer: '/entries/0', detail: 'is empty' },
    ];
    expect(sentenceOf(problem({ errors }))).toMatch(
      /^Eine Angabe passt nicht\. .+ Betroffen: leistungMinKw, \/entries\/0\.$/,
    );
  });
});
