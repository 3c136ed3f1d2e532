import { expect, test } from 'vitest';
import { wholeList } from '../../dashboards/web/units/whole-list.ts';
import type { ApiRequest } from '../../dashboards/web/v1/request.ts';

/** A list that is longer than the interface gives of one is read in parts, and is one list again. */

const CEILING = 10;

/** Units that were registered on several days, many on one; some are older than the register, and one has no day. */
const UNITS = Array.from({ length: 60 }, (_, at) => ({
  mastrNummer: `SEE${900 + ((at * 7) % 60)}`,
  kw: at % 5 === 0 ? null : at % 9,
  day: at === 59 ? null : at < 3 ? '2011-05-01' : `20${19 + (at % 7)}-0${1 + (at % 6)}-1${at % 8}`,
}));

const asked: ApiRequest[] = [];
const ask = async (request: ApiRequest) => {
  asked.push(request);
  const { registrierungVon: from, registrierungBis: to, cursor, limit, sort } = request.query ?? {};
  const found = UNITS.filter(
    ({ day }) =>
      (from == null || (day !== null && day >= String(from))) && (to == null || (day !== null && day <= String(to))),
  ).sort((a, b) =>
    sort === 'kw:desc' && a.kw !== b.kw
      ? a.kw === null
        ? 1
        : b.kw === null
          ? -1
          : b.kw - a.kw
      : a.mastrNummer < b.mastrNummer
        ? -1
        : 1,
  );
  const begin = Number(cursor ?? 0);
  const end = Math.min(begin + Number(limit), CEILING, found.length);
  const page = { total: found.length, hasMore: end < Math.min(CEILING, found.length), cursor: String(end) };
  return {
    data: found.slice(begin, end),
    meta: { page: { ...page, truncated: found.length > end && end === CEILING } },
  };
};
const loading = { ask: ask as never, progress: () => {} };
const list = (query: object, most: number) =>
  wholeList(
    loading,
    { path: '/v1/units', query: { limit: 4, ...query } },
    { total: UNITS.length, most, ceiling: CEILING },
  );

test.each([undefined, 'kw:desc'])(
  'every unit that has a day comes once, in the order of the list: %s',
  async (sort) => {
    const { rows, total, isComplete } = await list({ sort }, 1000);
    const numbers = rows.map(({ mastrNummer }) => mastrNummer);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect([numbers.length, total, isComplete]).toEqual([59, 60, false]);
    if (sort === undefined) expect(numbers).toEqual(numbers.toSorted());
    else
      expect(rows.map(({ kw }) => kw)).toEqual(
        rows.map(({ kw }) => kw as number | null).toSorted((a, b) => (a === null ? 1 : b === null ? -1 : b - a)),
      );
  },
);

test('it ends at the limit of the organisation, and at the ceiling where a question cannot be split', async () => {
  expect((await list({}, 25)).rows).toHaveLength(25);
  expect((await list({}, 7)).rows).toHaveLength(7);
  asked.length = 0;
  expect((await list({ savedFilterId: 'x' }, 25)).rows).toHaveLength(CEILING);
  expect(asked.every(({ query }) => query?.registrierungBis === undefined)).toBe(true);
});
