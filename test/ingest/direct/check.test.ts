import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clickhouseTarget } from '../../../ingest/publication/clickhouse.ts';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { ONE_SERVER } from '../../../sql/warehouse/clickhouse/placement.ts';
import { type Bridge, type Outcome, openBridge } from '../../support/clickhouse-bridge.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import { folderOfTests, generateExport } from '../../support/exports.ts';
import { buildIn } from '../../support/warehouse.ts';

/** Whatever the server holds otherwise than the build has sent it keeps a version from being published, and is named. */

const folder = folderOfTests();
const server = await clickhouseOfRun();
let source: string;
let bridge: Bridge;

beforeAll(async () => {
  source = await generateExport(folder.path, '2026-11-01');
  bridge = await openBridge();
});
afterAll(async () => {
  await bridge.close();
  folder.remove();
});
beforeEach(() => {
  bridge.outcomeOf = () => 'answered';
});

/** Builds, and changes tables of the version before a statement comes. @returns why it is not published */
async function refusal(prefix: string, before: RegExp, changes: readonly string[]): Promise<string> {
  const database = `${prefix}_v20261101_0001`;
  let done: Promise<void> | null = null;
  const change = async () => {
    // A build has merges wait, and with them changes of rows.
    const tables = changes.flatMap((statement) => /^ALTER TABLE @(\w+)/.exec(statement)?.[1] ?? []);
    for (const table of tables) await server.run(`SYSTEM START MERGES ${database}.${table}`);
    for (const statement of changes) await server.run(statement.replaceAll('@', `${database}.`));
  };
  bridge.outcomeOf = async ({ query }): Promise<Outcome> => {
    if (before.test(query)) done ??= change();
    // A change that fails ends the test, not the request.
    await done?.catch(() => {});
    return 'answered';
  };
  const address = clickhouseAddress(bridge.url(prefix));
  const target = clickhouseTarget(join(folder.path, prefix), { address, placement: ONE_SERVER });
  try {
    const message = await buildIn(join(folder.path, prefix), source, { target }).then(
      () => 'published',
      (error: Error) => error.message,
    );
    expect(done).not.toBeNull();
    await done;
    expect(await target.publications()).toEqual([]);
    return message;
  } finally {
    await target.close();
  }
}

const AT_ONCE = 'SETTINGS mutations_sync = 1';
/** A unit that is not the first one. */
const ONE = '(SELECT max(nummer) FROM @units)';

test('a text of one unit, and what views have filled', async () => {
  const message = await refusal('energy_check_filled', / AS "rows".* FROM units\b/s, [
    `ALTER TABLE @units UPDATE lokationMastrNummer = reverse(lokationMastrNummer) WHERE nummer = (SELECT max(nummer) FROM @units WHERE lokationMastrNummer IS NOT NULL) ${AT_ONCE}`,
    `ALTER TABLE @units_by_place DELETE WHERE mastrNummer = ${ONE} ${AT_ONCE}`,
    `INSERT INTO @units_by_number SELECT * FROM @units_by_number WHERE mastrNummer = ${ONE}`,
    `ALTER TABLE @zeilen DELETE WHERE nummer = ${ONE} ${AT_ONCE}`,
    `INSERT INTO @units_by_capacity SELECT * FROM @units_by_capacity WHERE mastrNummer = ${ONE}`,
    `ALTER TABLE @units_by_capacity DELETE WHERE mastrNummer = (SELECT min(nummer) FROM @units) ${AT_ONCE}`,
    `INSERT INTO @region_tage SELECT * FROM @region_tage LIMIT 1`,
    `ALTER TABLE @bundesland_tage UPDATE kw = kw + 0.001 WHERE anzahl = (SELECT max(anzahl) FROM @bundesland_tage) ${AT_ONCE}`,
    `CREATE TABLE @moved AS @deutschland_tage`,
    `INSERT INTO @moved SELECT * REPLACE (if(rowNumberInAllBlocks() = 0, NULL, tag) AS tag) FROM @deutschland_tage ORDER BY tag`,
    `EXCHANGE TABLES @moved AND @deutschland_tage`,
    `INSERT INTO @deutschland_monate SELECT * FROM @deutschland_monate LIMIT 1`,
    `ALTER TABLE @foerderung DELETE WHERE 1 ${AT_ONCE}`,
    `ALTER TABLE @aggregationen UPDATE mitLeistung = mitLeistung - 1 WHERE dimension = 'bundesland' AND mitLeistung > 0 ${AT_ONCE}`,
  ]);
  const lines = message.split('\n');
  expect(lines[0]).toMatch(/does not hold what 20261101-0001 holds, so it was not published/);
  const found = lines.slice(1).map((line) => line.trim().replaceAll(/\d+/g, 'n'));
  expect(found.toSorted()).toEqual([
    'aggregationen: other figures than a recount of the units',
    'bundesland_tage: other figures than a recount of the units',
    'deutschland_monate: other figures than a recount of the units',
    'deutschland_tage: other figures than a recount of the units',
    'foerderung: rows n in the file, n in ClickHouse',
    'region_tage: other figures than a recount of the units',
    'units: content of lokationMastrNummer n in the file, n in ClickHouse',
    'units: content of the texts n in the file, n in ClickHouse',
    'units_by_capacity: other units than units has',
    'units_by_number: rows n, and units has n',
    'units_by_place: rows n, and units has n',
    'zeilen: rows n, and units has n',
  ]);
});

test('what was copied', async () => {
  const message = await refusal('energy_check_copied', / AS "rows".* FROM vorgaenger\b/s, [
    `ALTER TABLE @marktakteure UPDATE name = concat(name, ' ') WHERE mastrNummer = (SELECT max(mastrNummer) FROM @marktakteure WHERE name <> '') ${AT_ONCE}`,
    `ALTER TABLE @regionen DELETE WHERE region = 1 ${AT_ONCE}`,
    `ALTER TABLE @suchtexte UPDATE einheiten = arrayReverse(einheiten) WHERE length(einheiten) > 1 ${AT_ONCE}`,
  ]);
  expect(message).toMatch(/ {2}marktakteure: content of name /);
  expect(message).toMatch(/ {2}regionen: rows \d+ in the file, \d+ in ClickHouse/);
  expect(message).toMatch(/ {2}suchtexte: content of einheiten /);
  expect(message).not.toMatch(/ {2}units/);
});
