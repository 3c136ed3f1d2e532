import type { Body, Get } from '../client.ts';
import { conditionsOf, type Filter, type FilterName, filtersOf, pathOf } from '../filters.ts';
import { type BenchRequest, independent, type Question, type Row } from '../question.ts';
import type { Random } from '../random.ts';
import type { Sample } from '../sample.ts';
import {
  countedTotalSql,
  firstPageSql,
  type Last,
  laterPageSql,
  type Order,
  PAGE,
  SORTABLE,
  totalSql,
} from './page-sql.ts';

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
  const page = firstPageSql(conditionsOf(filters), order);
  const total = totalSql(conditionsOf(filters));
  const counted = countedTotalSql(filters);
  return {
    path: pathOfPage(filters, order),
    sql: [page, counted ?? total],
    ...(counted === null ? {} : { plainSql: [page, total] }),
    pairs: (body, [rows, totals]) => [...samePage(body, rows!), ['total', body.meta.page.total, totals![0]!.total]],
  };
}

/** A page behind a row. Its total is known: the cursor carries it, and PostgreSQL counts it again only in `plainSql`. */
function laterPage(filters: readonly Filter[], order: Order, cursor: string, last: Last): BenchRequest {
  const page = laterPageSql(conditionsOf(filters), order, last);
  return {
    path: pathOfPage(filters, order, { cursor }),
    sql: [page],
    plainSql: [page, totalSql(conditionsOf(filters))],
    pairs: (body, [rows]) => samePage(body, rows!),
  };
}

/** Two pages are the same when they have as many rows, and the same ones at both ends. */
export const samePage = ({ data }: Body, rows: readonly Row[]) =>
  [
    ['rows', data.length, rows.length],
    ['first unit', data[0]?.mastrNummer, rows[0]?.mastrnummer],
    ['last unit', data.at(-1)?.mastrNummer, rows.at(-1)?.mastrnummer],
  ] as const;

/** Rows of a step on the way to deep pages, which is not measured. */
const STEP = 250;
/** Steps of a walk, at most: one ends at 10,000 rows. */
const STEPS = 36;
/** Pages that a walk passes, each measured in its place. */
const PAGES_OF_WALK = 4;

async function* deepPages(sample: Sample, random: Random, get: Get): ReturnType<Question['requests']> {
  const steps = Array.from({ length: STEPS }, (_, step) => step + 1);
  for (;;) {
    const filters = filtersOf(random.of(WIDE_FILTERS), sample, random);
    const order = anyOrder(random);
    const stops = new Set(random.some(PAGES_OF_WALK, steps));
    let more: Record<string, string> = {};
    for (let step = 1; step <= Math.max(...stops); step++) {
      const page = (await get(pathOfPage(filters, order, { ...more, limit: String(STEP) }))).json();
      if (!page.meta.page.hasMore) break;
      const { cursor } = page.meta.page;
      if (stops.has(step)) yield laterPage(filters, order, cursor, await lastOf(page, order, get));
      more = { cursor };
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

const AIMS = { p50: 8, p99: 60 };

export const PAGE_QUESTIONS: readonly Question[] = [
  { id: 'units-first', name: 'units, first page of 100, with total', aims: AIMS, requests: independent(firstPage) },
  { id: 'units-deep', name: 'units, deep page of 100, with total', aims: AIMS, requests: deepPages },
];
