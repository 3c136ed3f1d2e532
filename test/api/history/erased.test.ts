import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublicationTarget } from '../../../ingest/destination/target.ts';
import { folderTarget } from '../../../ingest/publication/folder.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { PERSONAL_COLUMNS } from '../../../sql/catalogue/personal.ts';
import { STORED_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { fieldsOf, REGISTER_KINDS } from '../../../sql/register/fields.ts';
import { READ_WITHIN_MS } from '../../../sql/warehouse/erasures.ts';
import { versionFile } from '../../../sql/warehouse/versions.ts';
import { serverTarget } from '../../support/clickhouse.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import { folderOfTests, generateExport, RegisterExport } from '../../support/exports.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { buildIn } from '../../support/warehouse.ts';

/** What is asked to be forgotten is hidden at once, and gone with the next build; figures of the past stay as they were. */

const folder = folderOfTests();
const PREFIX = 'energy_erased';
const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'] as const;
const [FIRST, , , LAST] = DAYS;
let exports: string[];
let operator: string;
let unit: string;
/** Of the operator: one that changed, one that left, and one that changes when it is on the list already. */
let changed: string;
let left: string;
let later: string;

beforeAll(async () => {
  const now = (await RegisterExport.read(await generateExport(folder.path, FIRST))).shorten(12, 'EinheitenWind');
  const wind = now.of('EinheitenWind').records;
  const owned = wind.filter(({ AnlagenbetreiberMastrNummer }) => AnlagenbetreiberMastrNummer !== undefined);
  operator = owned[0]!.AnlagenbetreiberMastrNummer!;
  const other = owned.find(({ AnlagenbetreiberMastrNummer }) => AnlagenbetreiberMastrNummer !== operator)!;
  const [one, two, three] = owned.filter((record) => record !== other);
  for (const record of [one!, two!, three!]) {
    record.AnlagenbetreiberMastrNummer = operator;
    record.NameStromerzeugungseinheit = 'Hof Mustermann';
  }
  [changed, left, later, unit] = [one!, two!, three!, other].map((record) => record.EinheitMastrNummer!) as [
    string,
    string,
    string,
    string,
  ];
  other.NameStromerzeugungseinheit = 'Hof Mustermann';
  exports = [now.write(folder.path, DAYS[0])];
  one!.AnlagenbetreiberMastrNummer = other.AnlagenbetreiberMastrNummer!;
  one!.NameStromerzeugungseinheit = 'Anlage 1';
  other.NameStromerzeugungseinheit = 'Anlage 2';
  wind.splice(wind.indexOf(two!), 1);
  exports.push(now.write(folder.path, DAYS[1]), now.write(folder.path, DAYS[2]));
  three!.NameStromerzeugungseinheit = 'Anlage 3';
  exports.push(now.write(folder.path, DAYS[3]));
});

afterAll(() => folder.remove());

it('what can tell of a person is what the register says so of', () => {
  const personal = new Set(
    REGISTER_KINDS.filter((kind) => kind.startsWith('Einheiten')).flatMap((kind) =>
      fieldsOf(kind).flatMap(({ field, personal: is }) => (is ? [field] : [])),
    ),
  );
  const columns = STORED_FIELDS.flatMap(({ name, source, privacy }) =>
    privacy !== 'none' || source?.reads.some((element) => personal.has(element.name)) ? [name] : [],
  );
  expect(PERSONAL_COLUMNS).toEqual(expect.arrayContaining(columns));
});

describe.each(['files', 'a server'])('in %s', (place) => {
  const warehouse = join(folder.path, place);
  let target: PublicationTarget;
  let service: OwnSubject;

  const build = async (day: number) =>
    (await buildIn(warehouse, exports[day]!, { target, force: true, keep: 1 })).report.madeFrom?.reason;

  beforeAll(async () => {
    target = place === 'files' ? folderTarget(warehouse) : await serverTarget(warehouse, PREFIX);
    await build(0);
    await build(1);
    const address = place === 'files' ? null : (await clickhouseOfRun()).warehouse('energy_reader', PREFIX);
    service = await serve(warehouse, { TODAY: LAST, ...(address !== null && { WAREHOUSE_URL: address }) });
  });

  afterAll(async () => {
    await service.stop();
    await target.close();
  });

  const past = async (number: string) => (await service.get(`/v1/units/${number}?stand=${FIRST}`)).json.data;
  const sums = async () => (await service.get(`/v1/aggregations?groupBy=bundesland&stand=${FIRST}`)).json.data;
  const erase = (nummer: string) =>
    target.erase(
      { nummer, am: '2026-11-02T10:00:00Z', von: 'a test' },
      { folder: warehouse, memoryMb: 300, progress: silentProgress },
    );
  /** All that is told of the past of these units. */
  const told = async (...numbers: readonly string[]) => {
    const paths = numbers.flatMap((number) => [`/v1/units/${number}/historie`, `/v1/units/${number}?stand=${FIRST}`]);
    const answers = await Promise.all(paths.map((path) => service.get(path)));
    const changes: { mastrNummer: string }[] = (await service.get('/v1/aenderungen')).json.data;
    const those = changes.filter(({ mastrNummer }) => numbers.includes(mastrNummer));
    return [...answers.map(({ text }) => text), JSON.stringify(those)].join('\n');
  };
  const changesOf = async (number: string): Promise<string[]> => {
    const { json } = await service.get(`/v1/units/${number}/historie`);
    return json.data.intervalle.flatMap(({ aenderungen }: { aenderungen: { feld: string }[] }) =>
      aenderungen.map(({ feld }) => feld),
    );
  };

  it('it is hidden as soon as services have read the request, and figures stay', async () => {
    const before = await sums();
    expect(await past(changed)).toMatchObject({ betreiberMastrNummer: operator, name: 'Hof Mustermann' });
    expect(await changesOf(changed)).toContain('name');
    const { bruttoleistungKw } = await past(left);
    await erase(operator);
    await erase(unit);
    await expect.poll(() => told(changed, left, unit), { timeout: READ_WITHIN_MS }).not.toContain('Hof Mustermann');
    expect(await changesOf(changed)).not.toContain('name');
    for (const number of [changed, left]) {
      expect(await past(number)).toMatchObject({ betreiberMastrNummer: null, name: null, latitude: null });
    }
    expect(await past(left)).toMatchObject({ mastrNummer: left, bruttoleistungKw });
    expect(await past(unit)).toMatchObject({ betreiberMastrNummer: null, name: null });
    const { json } = await service.get(`/v1/units/${later}`);
    expect(json.data).toMatchObject({ betreiberMastrNummer: operator, name: 'Hof Mustermann' });
    expect(await sums()).toEqual(before);
  });

  it('the next build takes it out of the version, and counts the rows; later nights go on so', async () => {
    const before = await sums();
    const reason = await build(2);
    if (place === 'files') expect(reason).toBe('the past of more numbers is to be forgotten');
    const known = async () => (await service.get(`/v1/aenderungen/summe?von=${FIRST}&bis=${DAYS[2]}`)).status;
    await expect.poll(known, { timeout: 10_000 }).toBe(200);
    expect(await told(changed, left, unit)).not.toContain('Hof Mustermann');
    expect(await sums()).toEqual(before);
    expect(await rows('SELECT nummer, von, zeilen FROM loeschungen')).toEqual(
      expect.arrayContaining([
        { nummer: operator, von: 'a test', zeilen: 3 },
        { nummer: unit, von: 'a test', zeilen: 1 },
      ]),
    );
    // It is in the version before, of a unit as it is there.
    const hasBytes = async () =>
      readFileSync(versionFile(warehouse, (await target.publications()).at(-1)!.version)).includes('Hof Mustermann');
    if (place === 'files') expect(await hasBytes()).toBe(true);
    expect(await build(3)).toBe('a row has ended whose past is to be forgotten');
    if (place === 'files') expect(await hasBytes()).toBe(false);
    expect(await rows(`SELECT zeilen FROM loeschungen WHERE nummer = '${operator}'`)).toEqual([{ zeilen: 4 }]);
    const columns = PERSONAL_COLUMNS.map((name) => `count(${name}) AS ${name}`).join(', ');
    for (const table of ['units_ersetzt', 'units_departed']) {
      const numbers = [changed, left, later, unit].map((number) => `'${number}'`).join(', ');
      const [counts] = await rows<Record<string, bigint>>(
        `SELECT ${columns} FROM ${table} WHERE mastrNummer IN (${numbers})`,
      );
      expect(Object.values(counts!).map(Number)).toEqual(PERSONAL_COLUMNS.map(() => 0));
    }
    await expect.poll(() => told(later), { timeout: 10_000 }).not.toContain('Hof Mustermann');
    expect(await sums()).toEqual(before);
  });

  /** Rows of the version that is served, as tables of the engine have them. */
  async function rows<Row>(sql: string): Promise<Row[]> {
    const { version } = (await target.publications()).at(-1)!;
    const wanted = { loeschungen: {}, units_ersetzt: {}, units_departed: {} };
    const engine = (await target.tables(version, wanted, new AbortController().signal))!;
    try {
      return await engine.rows<Row>(sql);
    } finally {
      await engine.close();
    }
  }
});
