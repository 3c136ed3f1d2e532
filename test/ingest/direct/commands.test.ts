import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSampleTenders } from '../../../ingest/tenders/sample.ts';
import { currentPublication } from '../../../sql/warehouse/versions.ts';
import { publishSample, withTables } from '../../support/built.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests } from '../../support/exports.ts';
import { SAMPLE } from '../../support/sample.ts';

/** Commands that look into a version read it from the server as they read it from its files. */

const folder = folderOfTests();
const files = join(folder.path, 'files', 'warehouse');
const server = await clickhouseOfRun();
const direct = join(folder.path, 'direct');
const there = { WAREHOUSE_URL: server.warehouse('energy_loader', 'energy_looked') };

beforeAll(async () => {
  await publishSample(files);
  await loadSampleTenders(join(direct, 'warehouse'));
  const { code, err } = await ingestHere(direct, ['build', SAMPLE], there);
  expect(code, err).toBe(0);
});
afterAll(() => folder.remove());

const both = async (...words: string[]) => [await ingestHere(files, words), await ingestHere(direct, words, there)];

test('explain tells the same of units with and without values', async () => {
  const numbers = await withTables(files, (tables) =>
    tables<{ number: string }>(
      `SELECT min(mastrNummer) AS number FROM units LEFT JOIN foerderung ON foerderung.einheit = units.nummer
       GROUP BY units.einheitTyp, foerderung.ableitbarkeit, len(foerderung.zuschlaege) > 0 ORDER BY number`,
    ),
  );
  expect(numbers.length).toBeGreaterThan(8);
  for (const { number } of numbers) {
    const [here, direct] = await both('explain', number, '--json');
    expect(JSON.parse(direct!.out), number).toEqual(JSON.parse(here!.out));
  }
  const [here, direct] = await both('explain', 'SEE999999999999');
  expect(direct).toEqual(here);
});

test('a table of the operator is compared with the version that is served', async () => {
  const number = await withTables(files, async (tables) => {
    const [row] = await tables<{ number: string }>('SELECT min(mastrNummer) AS number FROM units');
    return row!.number;
  });
  const list = join(folder.path, 'nep.csv');
  writeFileSync(list, `mastrNummer,kraftwerksnummer\n${number},\nSEE999999999999,\n,bna0000x\n`);
  const [here, direct] = await both('table', 'nep', list);
  expect(direct!.out).toBe(here!.out);
  expect(direct!.out).toContain(`In ${currentPublication(files)!.version} 1 of them name a unit, 2 do not`);
});

test('verify says where versions are', async () => {
  const { code, err } = await ingestHere(direct, ['verify'], there);
  expect(code).toBe(5);
  expect(err).toMatch(/There are no versions in .*direct.*ClickHouse verifies its own tables: CHECK TABLE/);
});
