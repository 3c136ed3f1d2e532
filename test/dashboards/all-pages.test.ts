import { describe, expect, test } from 'vitest';
import { allPages } from '../../dashboards/web/v1/all-pages.ts';
import type { Progress } from '../../dashboards/web/v1/loaded.ts';
import type { ApiRequest } from '../../dashboards/web/v1/request.ts';

/** Lists of seven numbers, in pages of `limit`. */
const ROWS = [1, 2, 3, 4, 5, 6, 7];

/** @param isOfUnits true: the pages are described as those of units are, with the rows of the whole list */
function listed(isOfUnits: boolean, truncated = false) {
  const progress: Progress[] = [];
  const ask = async ({ query = {} }: ApiRequest) => {
    const from = Number(query.cursor ?? 0);
    const data = ROWS.slice(from, from + Number(query.limit));
    const end = from + data.length;
    const page = { count: data.length, hasMore: end < ROWS.length, cursor: String(end), truncated };
    return { data, meta: isOfUnits ? { page: { ...page, total: ROWS.length } } : page } as never;
  };
  return { loading: { ask, progress: (step: Progress) => progress.push(step) }, progress };
}

const REQUEST = { path: '/v1/list', query: { limit: 3 } };

describe('a list is read page by page', () => {
  test('to its end, with progress against what is known of its length', async () => {
    const units = listed(true);
    expect(await allPages(units.loading, REQUEST)).toEqual({ rows: ROWS, total: 7, isComplete: true });
    expect(units.progress).toEqual([
      { done: 3, of: 7 },
      { done: 6, of: 7 },
    ]);
    const others = listed(false);
    expect(await allPages(others.loading, REQUEST)).toEqual({ rows: ROWS, total: null, isComplete: true });
    expect(others.progress.map(({ of }) => of)).toEqual([null, null]);
    const promised = listed(false);
    await allPages(promised.loading, REQUEST, { of: 5 });
    expect(promised.progress.map(({ of }) => of)).toEqual([5, 6]);
  });

  test.each([
    [3, [1, 2, 3], false],
    [5, [1, 2, 3, 4, 5], false],
    [7, ROWS, true],
    [8, ROWS, true],
  ])('to %i rows at most, and says whether that is all', async (most, rows, isComplete) => {
    expect(await allPages(listed(true).loading, REQUEST, { most })).toEqual({ rows, total: 7, isComplete });
  });

  test('to the ceiling of the interface, which is no end of the list', async () => {
    expect(await allPages(listed(true, true).loading, REQUEST)).toMatchObject({ rows: ROWS, isComplete: false });
  });
});
