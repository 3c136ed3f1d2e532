import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../api/docs/openapi/document.ts';
import { searchIndex } from '../../../api/docs/search-index.ts';
import { OPERATIONS } from '../../../api/operations.ts';

/** Entries are found by the words that people use, in German and English, and by the texts of guides. */

describe('the search of the documentation', () => {
  const entries = searchIndex(openApiDocument(OPERATIONS, 'http://127.0.0.1'));
  const found = (typed: string): string[] =>
    entries
      .filter(({ title, text, words }) => `${title} ${text} ${words}`.toLowerCase().includes(typed))
      .map(({ path }) => path);

  test.each([
    ['zubau', /reference\/region\.\w*zeitreihe|reference\/.*zeitreihe/i],
    ['growth', /zeitreihe/i],
    ['pagination', /guides\/api-clients/],
    ['balcony', /./],
    ['balkon', /./],
    ['photovoltaik', /reference\/units/],
    ['grid operator', /netzbetreiber/i],
    ['subsidy', /./],
  ])('finds %s', (typed, where) => {
    expect(found(typed).some((path) => where.test(path))).toBe(true);
  });

  test('finds a part of a guide by a word of its text', () => {
    expect(found('checkpoint').length + found('snapshot').length).toBeGreaterThan(0);
  });

  test('tells words apart that only contain one of a synonym', () => {
    const window = entries.find(({ title, text }) => /window/i.test(title) && !/wind(?!ow)/i.test(`${title} ${text}`));
    expect(window?.words ?? '').not.toContain('windrad');
  });
});
