import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../support/cases.ts';
import { entry, listed, unit } from '../support/portfolio.ts';
import { expectProblem } from '../support/requests.ts';
import type { ServiceResponse } from '../support/service.ts';
import { references, servePortfolio } from './served-portfolio.ts';

/** The list of the portfolio and its pages. */

const subject = servePortfolio();
const { insert, portfolio } = subject;

describe('the list', () => {
  test('newest first; what changes keeps its place', async () => {
    for (const number of [1, 2, 3]) await portfolio.put([entry(number)]);
    await portfolio.put([entry(1, { relationType: 'OWNER' })]);
    await portfolio.remove([unit(2)]);
    expect(listed(await portfolio.list())).toEqual([3, 1]);
    expect(listed(await portfolio.list('includeDeleted=true'))).toEqual([3, 2, 1]);
    await portfolio.put([entry(2)]);
    expect(listed(await portfolio.list())).toEqual([3, 2, 1]);
  });

  test('empty', async () => {
    const response = await portfolio.list();
    expect(response.json).toEqual({ data: [], meta: { count: 0, hasMore: false, cursor: null, truncated: false } });
    expect(response.headers.get('link')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('relationType: one role or several', async () => {
    await portfolio.put([entry(1), entry(2, { relationType: 'OWNER' }), entry(3, { relationType: 'LESSOR' })]);
    expect(listed(await portfolio.list('relationType=OWNER'))).toEqual([2]);
    expect(listed(await portfolio.list('relationType=LESSOR,OPERATOR')).sort()).toEqual([1, 3]);
    expect(listed(await portfolio.list('relationType=INVESTOR'))).toEqual([]);
  });

  test.each([
    ['relationType=OWNR', 'INVALID_PARAMETER', /did you mean|OWNER/],
    ['relationType=', 'INVALID_PARAMETER', /no value/],
    ['relationType=OWNER,', 'INVALID_PARAMETER', /empty/],
    ['includeDeleted=1', 'INVALID_PARAMETER', /true or false/],
    ['includeDeleted=TRUE', 'INVALID_PARAMETER', /true or false/],
    ['limit=0', 'INVALID_PARAMETER', /1 to 250/],
    ['limit=251', 'INVALID_PARAMETER', /1 to 250/],
    ['limit=10x', 'INVALID_PARAMETER', /1 to 250/],
    ['cursor=abc', 'INVALID_CURSOR', /not issued/],
    ['includeDelete=true', 'UNKNOWN_PARAMETER', /includeDeleted/],
    ['dryRun=true', 'UNKNOWN_PARAMETER', /dryRun/],
  ])('?%s: 400 %s', async (query, code, detail) => {
    const response = await portfolio.list(query);
    expect(response.json).toMatchObject({ status: 400, code, errors: [{ parameter: query.split('=')[0], code }] });
    expect(response.json.errors[0].detail).toMatch(detail);
  });

  test('Link: next while there is a page, first on all but the first, every parameter kept', async () => {
    await portfolio.put([entry(1), entry(2), entry(3)]);
    const query = 'relationType=OPERATOR%2COWNER&limit=2&includeDeleted=true';
    const first = await portfolio.list(query);
    const address = `${subject.service.url}/v1/portfolio?${query}`;
    const { cursor } = first.json.meta;
    expect(first.json.meta).toEqual({ count: 2, hasMore: true, cursor: expect.any(String), truncated: false });
    expect(first.headers.get('link')).toBe(`<${address}&cursor=${cursor}>; rel="next"`);
    const second = await portfolio.list(`${query}&cursor=${cursor}`);
    expect(second.json.meta).toEqual({ count: 1, hasMore: false, cursor: null, truncated: false });
    expect(second.headers.get('link')).toBe(`<${address}>; rel="first"`);
  });

  test('a cursor belongs to its organisation and its filters', async () => {
    await portfolio.put([entry(1), entry(2)]);
    const { cursor } = (await portfolio.list('limit=1')).json.meta;
    const other = await subject.another();
    await other.put([entry(1), entry(2)]);
    for (const response of [
      await other.list(`limit=1&cursor=${cursor}`),
      await portfolio.list(`limit=1&includeDeleted=true&cursor=${cursor}`),
      await portfolio.list(`limit=1&relationType=OPERATOR&cursor=${cursor}`),
    ]) {
      expectProblem(response, 400, 'INVALID_CURSOR');
    }
    // The size of the page may change on the way.
    expect(listed(await portfolio.list(`limit=7&cursor=${cursor}`))).toHaveLength(1);
  });
});

/** Walks through a list by its cursors. */
async function readPages(query: string): Promise<{ pages: ServiceResponse[]; numbers: number[] }> {
  const pages = [await portfolio.list(query)];
  for (let cursor = pages[0]!.json.meta.cursor; cursor !== null; cursor = pages.at(-1)!.json.meta.cursor) {
    pages.push(await portfolio.list(`${query}&cursor=${cursor}`));
  }
  return { pages, numbers: pages.flatMap(listed) };
}

describe('paging', () => {
  test('whatever the page size, and however many entries are of one age: each comes once, newest first', async () => {
    const ages = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 0, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(ages, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), async (drawn, sizes) => {
        await subject.begin();
        const createdAt = (age: number) => `2026-01-0${age + 1}T00:00:00.000Z`;
        await insert(drawn.map((age) => ({ createdAt: createdAt(age), updatedAt: createdAt(age) })));
        const whole = await portfolio.list();
        const seen: number[] = [];
        let cursor: string | null = '';
        for (let page = 0; cursor !== null; page++) {
          const limit = sizes[page % sizes.length]!;
          const answer: ServiceResponse = await portfolio.list(
            `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
          );
          expect(answer.json.meta.count).toBe(answer.json.data.length);
          seen.push(...listed(answer));
          cursor = answer.json.meta.cursor;
          expect(answer.json.meta.hasMore).toBe(cursor !== null);
        }
        expect(seen).toEqual(listed(whole));
        expect(seen.toSorted((a, b) => a - b)).toEqual(drawn.map((_, index) => index));
        expect(seen.map((index) => drawn[index]!)).toEqual(drawn.toSorted((a, b) => b - a));
      }),
      { numRuns: cases(30) },
    );
  });

  test('pages end at 10,000 rows, and say so', async () => {
    await insert(Array.from({ length: 10_001 }, () => ({})));
    const { pages, numbers } = await readPages('limit=240');
    expect(new Set(numbers).size).toBe(10_000);
    const last = pages.at(-1)!;
    expect(last.json.meta).toEqual({ count: 160, hasMore: false, cursor: null, truncated: true });
    expect(last.headers.get('link')).not.toContain('rel="next"');
    await portfolio.remove([unit(0)]);
    const complete = await readPages('limit=250');
    expect(complete.numbers).toHaveLength(10_000);
    expect(complete.pages.at(-1)!.json.meta.truncated).toBe(false);
  });
});

test('a page of entries of a megabyte, as earlier releases took them, ends early; the pages have all', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => {
    const at = new Date(Date.UTC(2026, 10, 1, 8, index)).toISOString();
    const externalRefs = references(1, index === 3 ? 5_000_000 : 1_000_000);
    const times = { createdAt: at, updatedAt: at, removedAt: null };
    return { id: randomUUIDv7(), mastrNumber: unit(index + 1), relationType: 'OWNER' as const, externalRefs, ...times };
  });
  for (const row of rows) await insert([row]);
  const numbers: number[] = [];
  const pages: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await portfolio.list(cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`);
    expect(response.status).toBe(200);
    numbers.push(...listed(response));
    pages.push(response.json.data.length);
    expect(response.json.meta).toMatchObject({ count: response.json.data.length, truncated: false });
    cursor = response.json.meta.cursor;
  }
  expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1]);
  // Newest first: four megabytes end a page, and a row that is larger comes alone.
  expect(pages).toEqual([3, 1, 3]);
});
