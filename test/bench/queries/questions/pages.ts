import type { Body, Get } from '../client.ts';
import { conditionsOf, type Filter, type FilterName, filtersOf, pathOf } from '../filters.ts';
import { type BenchRequest, independent, type Question, type Row } from '../question.ts';
import type { Random } from '../random.ts';
import type { Sample } from '../sample.ts';
import { firstPageSql, type Last, laterPageSql, type Order, PAGE, SORTABLE, totalSql } from './page-sql.ts';

/** Pages of 100 units: filters from none to one municipality, every sort, first and deep pages, exact totals. */

/** Filters, from those that nearly every unit meets to those that a handful meets. */
const FILTERS: readonly (readonly FilterName[])[] = [
  [],
  ['einheitTyp'],
  ['bundesland'],
  ['betriebsStatus'],
  ['leistungMaxKw'],
  ['inbetriebnahmeVon'],
  ['einheitTyp', 'betriebsStatus'],
  ['plzBereich'],
  ['bundesland', 'einheitTyp', 'inbetriebnahmeVon'],
  ['bundesland', 'leistungMinKw'],
  ['netzbetreiber', 'einheitTyp'],
  ['landkreis', 'einheitTyp'],
  ['gemeinde'],
  ['plz'],
  ['betreiberMastrNummer'],
];

/** Filters that leave enough units for a deep page. */
const WIDE_FILTERS = FILTERS.slice(0, 8);

const anyOrder = (random: Random): Order => ({ field: random.of(SORTABLE), direction: random.of(['asc', 'desc']) });

const pathOfPage = (filters: readonly Filter[], { field, direction }: Order, more: Record<string, string> = {}) =>
  pathOf('/v1/units', filters, { sort: `${field}:${direction}`, limit: String(PAGE), ...more });

/** A first page with any filters in any order, and its total. */
export function firstPage(sample: Sample, random: Random): BenchRequest {
  const filters = filtersOf(random.of(FILTERS), sample, random);
  const order = anyOrder(random);
  return {
    path: pathOfPage(filters, order),
    sql: [firstPageSql(conditionsOf(filters), order), totalSql(conditionsOf(filters))],
    pairs: (body, [page, total]) => [...samePage(body, page!), ['total', body.meta.page.total, total![0]!.total]],
  };
}

/** A page behind a row, and the total again, as the service says it with every page. */
const laterPage = (filters: readonly Filter[], order: Order, cursor: string, last: Last): BenchRequest => ({
  path: pathOfPage(filters, order, { cursor }),
  sql: [laterPageSql(conditionsOf(filters), order, last), totalSql(conditionsOf(filters))],
  pairs: (body, [page, total]) => [...samePage(body, page!), ['total', body.meta.page.total, total![0]!.total]],
});

/** Two pages are the same when they have as many rows, and the same ones at both ends. */
export const samePage = ({ data }: Body, rows: readonly Row[]) =>
  [
    ['rows', data.length, rows.length],
    ['first unit', data[0]?.mastrNummer, rows[0]?.mastrnummer],
    ['last unit', data.at(-1)?.mastrNummer, rows.at(-1)?.mastrnummer],
  ] as const;

/** Wide steps on the way to a deep page, not measured. */
const STEP = 250;
/** Rows before a deep page, at most; a walk ends at 10,000. */
const MAX_DEPTH = 9_000;
/** Pages that are measured at the end of a walk. */
const PAGES_AT_END = 5;

async function* deepPages(sample: Sample, random: Random, get: Get): ReturnType<Question['requests']> {
  for (;;) {
    const filters = filtersOf(random.of(WIDE_FILTERS), sample, random);
    const order = anyOrder(random);
    const depth = random.below(MAX_DEPTH);
    let page = (await get(pathOfPage(filters, order, { limit: String(STEP) }))).json();
    for (let skipped = STEP; skipped < depth && page.meta.page.hasMore; skipped += STEP) {
      const step = { limit: String(STEP), cursor: page.meta.page.cursor };
      page = (await get(pathOfPage(filters, order, step))).json();
    }
    for (let measured = 0; measured < PAGES_AT_END && page.meta.page.hasMore; measured++) {
      const last = await lastOf(page, order, get);
      page = (yield laterPage(filters, order, page.meta.page.cursor, last)).json();
    }
  }
}

/** The list form has not every field that it can be sorted by; the detail form has. */
async function lastOf({ data }: Body, { field }: Order, get: Get): Promise<Last> {
  const row = data.at(-1);
  const number: string = row.mastrNummer;
  const unit = field in row ? row : (await get(`/v1/units/${number}`)).json().data;
  return { number, value: unit[field] };
}

const AIMS = { p50: 15, p99: 80 };

export const PAGE_QUESTIONS: readonly Question[] = [
  { id: 'units-first', name: 'units, first page of 100, with total', aims: AIMS, requests: independent(firstPage) },
  { id: 'units-deep', name: 'units, deep page of 100, with total', aims: AIMS, requests: deepPages },
];
