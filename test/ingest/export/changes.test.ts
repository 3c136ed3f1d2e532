import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildChain, type Chain, publishAt } from '../../api/delta/chain.ts';
import { ingestHere } from '../../support/command.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { manifestIn, queryFiles, readCsv } from './dumps.ts';

/** The file of what changed with a version says what the feed of changes says, in each format. */

const TODAY = '2026-12-12';
let chain: Chain;
let warehouse: string;
let service: OwnSubject;
beforeAll(async () => {
  chain = await buildChain();
  warehouse = chain.copy('changes');
  for (const [minute, build] of [0, 1, 3].entries()) publishAt(warehouse, chain.versions[build]!, minute);
  service = await serve(warehouse, { TODAY });
}, 600_000);
afterAll(async () => {
  await service?.stop();
  chain?.remove();
});

const folderOf = (name: string): string => join(warehouse, 'dumps', name);
const exported = (name: string, words: readonly string[]) =>
  ingestHere(warehouse, ['export', '--changes', ...words, '--out', folderOf(name)], { TODAY });

type Row = Readonly<Record<string, string | null>>;

/** What the feed says since the version before, as the file has it. */
async function told(): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await service.get(`/v1/aenderungen?von=2026-11-20&limit=250${cursor}`);
    for (const { mastrNummer, einheitTyp, art, grund, aenderungen } of json.data) {
      const row = { mastrNummer, einheitTyp, art, grund };
      if (art !== 'geaendert') rows.push({ ...row, feld: null });
      for (const { feld } of aenderungen) rows.push({ ...row, feld });
    }
    if (!json.meta.hasMore) return rows;
    cursor = `&cursor=${json.meta.cursor}`;
  }
}

test('has each field that changed of each unit, and the units that came and left', { timeout: 600_000 }, async () => {
  for (const format of ['parquet', 'csv', 'ndjson']) {
    expect(await exported(format, ['--format', format])).toMatchObject({ code: 0 });
    expect(manifestIn(folderOf(format))).toMatchObject({
      ...{ name: 'mastr_aenderungen', version: chain.versions[3], format },
      since: { version: chain.versions[1], asOf: '2026-11-20' },
      columns: expect.arrayContaining([expect.objectContaining({ name: 'vorher', kind: 'text' })]),
    });
  }
  const lines = readFileSync(join(folderOf('ndjson'), 'changes.ndjson'), 'utf8')
    .trim()
    .split('\n');
  const rows: Row[] = lines.map((line) => JSON.parse(line));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.map(({ vorher: _, nachher: __, datumLetzteAktualisierung: ___, ...row }) => row)).toEqual(await told());
  for (const { art, vorher, nachher } of rows) expect(vorher === nachher).toBe(art !== 'geaendert');

  const [head = [], ...records] = readCsv(readFileSync(join(folderOf('csv'), 'changes.csv'), 'utf8'));
  expect(records.map((record) => Object.fromEntries(head.map((name, at) => [name, record[at]])))).toEqual(rows);
  const typed = await queryFiles<Row>(
    `SELECT * REPLACE (strftime(datumLetzteAktualisierung, '%Y-%m-%dT%H:%M:%S.%gZ') AS datumLetzteAktualisierung)
     FROM read_parquet('${join(folderOf('parquet'), 'changes.parquet')}')`,
  );
  expect(typed).toEqual(rows);
  expect(manifestIn(folderOf('parquet')).rows).toBe(rows.length);
});

test('is refused of a version that knows none before it, and in other forms', async () => {
  const first = await exported('first', ['--format', 'csv', '--version', chain.versions[0]!]);
  expect(first).toMatchObject({ code: 5, err: expect.stringContaining('knows no state before its own') });
  expect(existsSync(folderOf('first'))).toBe(false);
  for (const words of [
    ['--format', 'duckdb'],
    ['--format', 'parquet', '--geo'],
  ])
    expect(await exported('none', words)).toMatchObject({ code: 2 });
});
