import type { Get } from '../client.ts';
import { type BenchRequest, type Condition, independent, type Question } from '../question.ts';
import type { Random } from '../random.ts';
import type { Sample } from '../sample.ts';
import { firstPageSql, totalSql } from './page-sql.ts';
import { firstPage, samePage } from './pages.ts';

/** Units by their numbers, and answers that have not changed. */

function unit(sample: Sample, random: Random): BenchRequest {
  const mastrNummer = random.of(sample.numbers);
  return {
    path: `/v1/units/${mastrNummer}`,
    sql: [{ text: 'SELECT * FROM unit_details WHERE mastrnummer = $1', values: [mastrNummer] }],
    pairs: ({ data }, [rows]) => [
      ['mastrNummer', data.mastrNummer, rows![0]?.mastrnummer],
      ['name', data.name, rows![0]?.name],
      ['bruttoleistungKw', data.bruttoleistungKw, rows![0]?.bruttoleistungkw],
    ],
  };
}

const NUMBERS = 500;
/** The longest page: two of them resolve all numbers. */
const MAX_PAGE_SIZE = 250;

function manyUnits(sample: Sample, random: Random): BenchRequest {
  const numbers = random.some(NUMBERS, sample.numbers);
  const among: Condition = (bind) => `mastrnummer = ANY(${bind(numbers)}::text[])`;
  return {
    path: `/v1/units?limit=${MAX_PAGE_SIZE}&mastrNummern=${numbers.join(',')}`,
    sql: [firstPageSql([among], { field: 'mastrNummer', direction: 'asc' }, MAX_PAGE_SIZE), totalSql([among])],
    pairs: (body, [page, total]) => [...samePage(body, page!), ['total', body.meta.page.total, total![0]!.total]],
  };
}

/** Id of the question for what has not changed, which is no part of what many clients ask. */
export const UNCHANGED = '304';

/** Pages that are asked for before any of them is asked again: nobody requests again while the page is still on its way. */
const PAGES_BEFORE = 20;

/** PostgreSQL knows no entity tags: it is not asked. */
async function* unchanged(sample: Sample, random: Random, get: Get): ReturnType<Question['requests']> {
  for (;;) {
    const requests: BenchRequest[] = [];
    while (requests.length < PAGES_BEFORE) {
      const { path } = firstPage(sample, random);
      const { etag } = await get(path);
      requests.push({ path, sql: [], headers: { 'if-none-match': etag ?? '' }, status: 304, pairs: () => [] });
    }
    yield* requests;
  }
}

export const UNIT_QUESTIONS: readonly Question[] = [
  { id: 'unit', name: 'unit detail', aims: { p50: 0.6, p99: 4 }, requests: independent(unit) },
  {
    id: 'numbers',
    name: 'mastrNummern with 500 numbers',
    aims: { p50: 6, p99: 30 },
    requests: independent(manyUnits),
  },
  { id: UNCHANGED, name: '304', aims: { p50: 1, p99: 5 }, requests: unchanged },
];
