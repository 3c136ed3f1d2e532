import { describe, expect, test } from 'vitest';
import { CODES } from '../../api/problem/codes.ts';
import type { Problem } from '../../dashboards/web/v1/problem.ts';
import { helpsToRetry, type ProblemWords, sentenceOf, wordsOf } from '../../dashboards/web/v1/problem-words.ts';
import { inEnglish } from '../support/english-pages.ts';

/** Pages tell problems in their language, by their codes. */

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

  test('is tried again only where that can help: at a limit, in a fault of the service, without a connection', () => {
    const of = (status: number, retryable = false) => helpsToRetry(problem({ status, retryable }));
    expect([of(0), of(429), of(500), of(503), of(409, true)]).toEqual([true, true, true, true, true]);
    expect([400, 401, 403, 404, 409, 410, 422].filter((status) => of(status))).toEqual([]);
  });

  test('has words of its own in English, too, and says what to do', async () => {
    const codes = Object.keys(CODES).filter((code) => !OLDER.includes(code));
    const asked = JSON.stringify(codes.map((code) => problem({ code })));
    const words: ProblemWords[] = await inEnglish('v1/problem-words.ts', `({ wordsOf }) => ${asked}.map(wordsOf)`);
    expect(new Set(words.map(({ text }) => text)).size).toBe(codes.length);
    const german = codes.map((code) => wordsOf(problem({ code })));
    expect(codes.filter((_, index) => words[index]?.title === german[index]?.title)).toEqual([]);
    expect(words.filter(({ text }) => /[äöüß]| (und|nicht|der|die) /i.test(text))).toEqual([]);
  });
});
