import { hash } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Member } from '../../../ingest/archive/member.ts';
import { REFERENCES } from '../../../ingest/assembly/references.ts';
import { printReport } from '../../../ingest/build/print-report.ts';
import { type Progress, silentProgress } from '../../../ingest/run/progress.ts';
import { storeRound } from '../../../ingest/tenders/store.ts';
import { itemAt } from '../../../runtime/present.ts';
import { tenderKey } from '../../../sql/tenders/technologies.ts';
import { firstRow } from '../../../sql/warehouse/first-row.ts';
import { openSearchIndex } from '../../../sql/warehouse/search/reader.ts';
import { currentPublication, ordersFile, rowFile, searchFile } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { folderOfTests, generateExport } from '../../support/exports.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/**
 * The size of a slice bounds the memory of a build and nothing else: a register in several slices, joined side by side,
 * becomes the version that it becomes in one. Only a register of more than 200,000 units has several by itself.
 */
let slices = 1;

vi.mock('../../../ingest/stage/slices.ts', async (original) => ({
  ...(await original<typeof import('../../../ingest/stage/slices.ts')>()),
  sliceCount: () => slices,
}));

/** The order of staged rows follows from that in which members are read, which with several threads is chance. */
let inReadingOrder = (members: readonly Member[]): readonly Member[] => members;

vi.mock('../../../ingest/read/pool.ts', async (original) => {
  const { readMembers } = await original<typeof import('../../../ingest/read/pool.ts')>();
  return {
    readMembers: (...[context, members, ...words]: Parameters<typeof readMembers>) =>
      readMembers(context, inReadingOrder(members), ...words),
  };
});

/** Tables that name the build itself. */
const OF_THE_BUILD = ['dataset'];

interface Content {
  readonly tables: Readonly<Record<string, unknown>>;
  /** Digests of the row file and of the orders of units. */
  readonly rows: string;
  readonly orders: string;
  /** Digest of the units that the search index finds, by word. */
  readonly found: string;
}

/** A build fills it a slice of units at a time, so a text comes once for each slice that has it; its units are the same. */
const TEXTS = {
  table: 'suchtexte',
  from: '(SELECT DISTINCT gefaltet, unnest(einheiten) AS nummer FROM suchtexte)',
  values: 'gefaltet, nummer',
};

/** Number of rows and sum of their hashes, by table; lists of numbers have no order. */
async function contentOf(warehouse: string): Promise<Content> {
  const columns = await queryServed<{ table: string; values: string }>(
    warehouse,
    `SELECT table_name AS "table",
       string_agg(CASE data_type WHEN 'BIGINT[]' THEN 'list_sort("' || column_name || '")' ELSE '"' || column_name || '"' END, ', '
         ORDER BY column_index) AS "values"
     FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() GROUP BY table_name ORDER BY table_name`,
  );
  const plain = columns
    .filter(({ table }) => ![...OF_THE_BUILD, TEXTS.table].includes(table))
    .map(({ table, values }) => ({ table, values, from: table }));
  const sums = [...plain, TEXTS].map(
    ({ table, values, from }) =>
      `SELECT '${table}' AS "table", count(*) || ' ' || sum(hash(${values})) AS content FROM ${from}`,
  );
  const tables = await queryServed<{ table: string; content: string }>(warehouse, sums.join(' UNION ALL '));
  const { version } = currentPublication(warehouse)!;
  return {
    tables: Object.fromEntries(tables.map(({ table, content }) => [table, content])),
    rows: hash('sha256', readFileSync(rowFile(warehouse, version))),
    orders: hash('sha256', readFileSync(ordersFile(warehouse, version))),
    found: hash('sha256', JSON.stringify(await unitsByWord(warehouse, searchFile(warehouse, version)))),
  };
}

/** The units that the search index finds, for each word of the texts. */
async function unitsByWord(warehouse: string, path: string): Promise<[word: string, units: number[]][]> {
  const words = await queryServed<{ word: string }>(
    warehouse,
    `SELECT DISTINCT unnest(string_split(gefaltet, ' ')) AS word FROM suchtexte ORDER BY word`,
  );
  const { units } = firstRow(
    await queryServed<{ units: number }>(warehouse, 'SELECT count(*)::INTEGER AS units FROM units'),
  );
  const index = openSearchIndex(path, units);
  try {
    const found: [string, number[]][] = [];
    for (const { word } of words) if (word !== '') found.push([word, [...(await index.unitsWith(word))]]);
    return found;
  } finally {
    index.close();
  }
}

const LISTED = 2020060110;

/** Stores a list of awards of all wind units of a warehouse. */
async function storeAwards(warehouse: string): Promise<void> {
  const units = await queryServed<{ number: string }>(
    warehouse,
    `SELECT mastrNummer AS number FROM units WHERE einheitTyp = 'wind' ORDER BY ALL`,
  );
  const nothing = { bundesland: null, landkreis: null, plz: null, gemeinde: null, gemarkung: null, flurstueck: null };
  const zuschlaege = units.map(({ number }, place) => ({
    ...nothing,
    id: LISTED * 100_000 + place + 1,
    gebotstermin: LISTED,
    zuschlagsnummer: `WIN20-3/${place}`,
    gebotsmengeKw: 1000,
    flurstueckRoh: null,
    mastrNummern: [number],
    foerderNummern: [],
  }));
  const liste = { quelle: 'Liste', pruefsumme: '', bekanntgabe: '2020-07-01', kalender: [], zuschlaege, befunde: [] };
  const tender = tenderKey(LISTED);
  if (tender === null) throw new Error(`${LISTED} is no tender`);
  storeRound(warehouse, { ...tender, id: LISTED, listen: [liste], statistik: null });
}

describe('a register in several slices', () => {
  const folder = folderOfTests();
  afterAll(folder.remove);
  let days: string[];
  const whole = join(folder.path, 'whole');
  beforeAll(async () => {
    const first = await generateExport(folder.path, '2026-11-01');
    days = [first, await generateExport(folder.path, '2026-11-02', first)];
    await publishRegister(whole);
    await storeAwards(whole);
    slices = 1;
    await buildIn(whole, itemAt(days, 1));
  });

  it('does not count a unit in several slices, and needs no disk for staged units once they are joined', async () => {
    slices = 3;
    const building = join(folder.path, 'counted', 'building');
    const isOfUnits = /\/(?:einheit|references)\/.*\.parquet$/;
    const files = () =>
      readdirSync(building, { recursive: true, encoding: 'utf8' }).filter((name) => isOfUnits.test(name));
    const counts = new Map<string, number>();
    const amounts = new Map<string, { done: number; total: number }>();
    let current = { done: 0, total: 0 };
    const progress: Progress = {
      ...silentProgress,
      stage(name, total = 0) {
        current = { done: 0, total };
        amounts.set(name, current);
        if (existsSync(building)) counts.set(name, files().length);
      },
      advance(amount) {
        current.done += amount;
      },
    };
    await buildIn(join(folder.path, 'counted'), itemAt(days, 0), { threads: 2, memoryMb: 900, progress });
    // Files without rows, which have the columns, and the numbers that units name.
    const others = REFERENCES.length + 2;
    expect(counts.get('units')).toBeGreaterThan(others + slices);
    expect(counts.get('places of awards')).toBe(others);
    const { done, total } = amounts.get('units') ?? { done: 0, total: 0 };
    expect(done).toBeGreaterThan(0);
    for (const [name, amount] of amounts)
      if (amount.total > 0) expect(amount.done, name).toBeLessThanOrEqual(amount.total);
    expect(total - done).toBeLessThan(total / 10);
  });

  // Texts of the search are collected from four slices at once, and are of several such ranges in each.
  const divisions = [
    { count: 5, lanes: 1 },
    { count: 6, lanes: 2 },
    { count: 26, lanes: 2 },
  ];
  it.each(drawn(divisions, 1))(
    'is the same version on two days, in $count slices on $lanes lanes',
    async ({ count, lanes }) => {
      const sliced = join(folder.path, `sliced-${count}`);
      const options = { threads: lanes, memoryMb: 450 * lanes };
      slices = count;
      await buildIn(sliced, itemAt(days, 0), options);
      await storeAwards(sliced);
      expect(await contentOf(sliced)).not.toEqual(await contentOf(whole));
      const { report } = await buildIn(sliced, itemAt(days, 1), options);
      const content = await contentOf(sliced);
      const { written, replaced, gone } = firstRow(
        await queryServed<Record<'written' | 'replaced' | 'gone', bigint>>(
          sliced,
          `SELECT (SELECT count(*) FROM units WHERE inhaltSeit = 2) AS written,
             (SELECT count(*) FROM units_ersetzt WHERE ersetztSeit = 2 AND nummer IN (SELECT nummer FROM units)) AS replaced,
             (SELECT count(*) FROM units_departed WHERE abgangSeit = 2) AS gone`,
        ),
      );
      const changes = { added: Number(written - replaced), changed: Number(replaced), gone: Number(gone) };
      expect(changes.changed).toBeGreaterThan(0);
      expect(report.changes).toEqual(changes);
      expect(printReport(report)).toMatch(/\n {2}since 20261101-0001: \d+ new, \d+ changed, \d+ gone\n/);
      expect(content).toEqual(await contentOf(whole));
      for (const table of ['zuschlaege', 'zuschlag_einheiten', 'foerderung'])
        expect(content.tables[table]).not.toBeNull();
    },
  );

  it('is the same version in whatever order its members are read', async () => {
    const backwards = join(folder.path, 'backwards');
    await publishRegister(backwards);
    await storeAwards(backwards);
    slices = 3;
    inReadingOrder = (members) => members.toReversed();
    await buildIn(backwards, itemAt(days, 1), { threads: 1, memoryMb: 450 });
    inReadingOrder = (members) => members;
    expect(await contentOf(backwards)).toEqual(await contentOf(whole));
  });

  it('may be in fewer slices than there are lanes', async () => {
    const [first, beside] = ['first', 'beside'].map((name) => join(folder.path, name)) as [string, string];
    await publishRegister(first);
    slices = 1;
    const stop = new AbortController();
    await buildIn(beside, itemAt(days, 0), { threads: 2, memoryMb: 900, signal: stop.signal });
    // Every connection is closed: none would be interrupted later.
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    expect(await contentOf(beside)).toEqual(await contentOf(first));
  });
});
