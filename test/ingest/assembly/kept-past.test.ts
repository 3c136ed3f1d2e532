import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { versionFile } from '../../../sql/warehouse/versions.ts';
import { publishExport } from '../../support/built.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests, generateExport, RegisterExport, type Row } from '../../support/exports.ts';
import { serve } from '../../support/service.ts';
import { buildIn, queryServed } from '../../support/warehouse.ts';

/** The rows that builds keep of the past: what a release with other fields keeps. */

const folder = folderOfTests();
let register: RegisterExport;

beforeAll(async () => {
  register = (await RegisterExport.read(await generateExport(folder.path, '2026-11-01'))).shorten(8, 'EinheitenWind');
});

afterAll(() => folder.remove());

const FORMER = `SELECT mastrNummer, gueltigSeit::INTEGER AS seit, ersetztSeit::INTEGER AS bis FROM units_ersetzt ORDER BY ALL`;

const numberOf = (record: Row): string => record.EinheitMastrNummer!;

it('former names are kept of organisations, also of those that have left, and not of natural persons', async () => {
  const warehouse = join(folder.path, 'names');
  const days = join(folder.path, 'names', 'days');
  const now = register.copy();
  const organisations = now
    .of('Marktakteure')
    .records.filter(({ Personenart, Firmenname }) => Personenart === '517' && !Firmenname?.includes('&'))
    .slice(0, 2);
  const names = organisations.map(({ Firmenname }) => Firmenname);
  const kept = () =>
    queryServed(warehouse, 'SELECT mastrNummer, name, bis::INTEGER AS bis FROM akteurnamen ORDER BY ALL');
  await publishExport(warehouse, now.write(days, '2026-11-01'));
  for (const one of organisations) one.Firmenname = `Umbenannte ${one.Firmenname}`;
  await buildIn(warehouse, now.write(days, '2026-11-02'), { force: true });
  const both = organisations.map(({ MastrNummer }, index) => ({
    mastrNummer: MastrNummer,
    name: names[index],
    bis: 2,
  }));
  expect(await kept()).toEqual(expect.arrayContaining(both));
  organisations[0]!.Personenart = '518';
  await buildIn(warehouse, now.write(days, '2026-11-03'), { force: true });
  expect(await kept()).toEqual([both[1]]);
  const actors = now.of('Marktakteure').records;
  actors.splice(actors.indexOf(organisations[1]!), 1);
  const left = { mastrNummer: organisations[1]!.MastrNummer, name: `Umbenannte ${names[1]}`, bis: 4 };
  await buildIn(warehouse, now.write(days, '2026-11-04'), { force: true, fromNothing: true });
  expect(new Set(await kept())).toEqual(new Set([both[1], left]));
  await buildIn(warehouse, now.write(days, '2026-11-05'), { force: true });
  expect(await kept()).toEqual(expect.arrayContaining([both[1], left]));
});

it('of rows that were replaced it is kept in which columns the next one differs, by nights and by builds from nothing', async () => {
  const warehouse = join(folder.path, 'differing');
  const days = join(folder.path, 'differing', 'days');
  const now = register.copy();
  const [one, two] = now.of('EinheitenWind').records as [Row, Row];
  const differing = () =>
    queryServed(
      warehouse,
      'SELECT mastrNummer AS number, bis::INTEGER AS bis, spalten FROM units_verlauf JOIN units USING (nummer) WHERE bis IS NOT NULL ORDER BY ALL',
    );
  await publishExport(warehouse, now.write(days, '2026-11-01'));
  one.Typenbezeichnung = 'Ein anderer Typ';
  one.NameStromerzeugungseinheit = 'Umbenannt';
  two.DatumLetzteAktualisierung = '2026-11-01T10:00:00';
  await buildIn(warehouse, now.write(days, '2026-11-02'), { force: true });
  const first = [
    { number: numberOf(one), bis: 2, spalten: 'windTypenbezeichnung,windTypenbezeichnungRegister' },
    { number: numberOf(two), bis: 2, spalten: 'datumLetzteAktualisierung' },
  ];
  expect(await differing()).toEqual(expect.arrayContaining(first));
  two.DatumLetzteAktualisierung = '2026-11-02T10:00:00';
  await buildIn(warehouse, now.write(days, '2026-11-02'), { force: true, fromNothing: true });
  const second = { number: numberOf(two), bis: 3, spalten: 'datumLetzteAktualisierung' };
  expect(await differing()).toEqual(expect.arrayContaining([...first, second]));
});

it('a unit that left, was back in a version that was withdrawn, and perhaps later, left when it did, for the reason that it had', async () => {
  const warehouse = join(folder.path, 'withdrawn');
  const days = join(folder.path, 'withdrawn', 'days');
  const [whole, without, again] = [register.copy(), register.copy(), register.copy()];
  const [gone, back] = without.of('EinheitenWind').records.splice(0, 2).map(numberOf);
  again.of('EinheitenWind').records.splice(0, 1);
  await publishExport(warehouse, whole.write(days, '2026-11-01'));
  for (const [day, now] of [
    ['2026-11-02', without],
    ['2026-11-03', whole],
    ['2026-11-04', again],
  ] as const) {
    if (day === '2026-11-04') await ingestHere(warehouse, ['rollback']);
    await buildIn(warehouse, now.write(days, day), { force: true });
  }
  const service = await serve(warehouse, { TODAY: '2026-11-04' });
  try {
    const statusesOf = (number: string) =>
      Promise.all(
        ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map(
          async (day) => (await service.get(`/v1/units/${number}?stand=${day}`)).status,
        ),
      );
    expect([await statusesOf(gone!), await statusesOf(back!)]).toEqual([
      [200, 404, 404, 404],
      [200, 404, 404, 200],
    ]);
    const intervalsOf = async (number: string) =>
      (await service.get(`/v1/units/${number}/historie`)).json.data.intervalle;
    const left = { art: 'entfallen', grund: 'verschwunden', nach: { tag: '2026-11-01' }, von: { tag: '2026-11-02' } };
    const before = { art: 'bestand', bis: { tag: '2026-11-02' } };
    expect(await intervalsOf(gone!)).toMatchObject([{ ...left, bis: null }, before]);
    expect(await intervalsOf(back!)).toMatchObject([
      { art: 'neu', nach: { tag: '2026-11-02' }, von: { tag: '2026-11-04' }, bis: null },
      { ...left, bis: { tag: '2026-11-04' } },
      before,
    ]);
    const { data } = (await service.get('/v1/aenderungen?art=entfallen')).json;
    for (const number of [gone, back]) {
      expect(data.filter((one: { mastrNummer: string }) => one.mastrNummer === number)).toMatchObject([
        { tag: '2026-11-02', grund: 'verschwunden' },
      ]);
    }
  } finally {
    await service.stop();
  }
});

it('a release with other fields keeps the rows of what was registered anew alone, and the others hold since they did', async () => {
  const warehouse = join(folder.path, 'release');
  const now = register.copy();
  const days = join(folder.path, 'release', 'days');
  const version = await publishExport(warehouse, now.write(days, '2026-11-01'));
  const instance = await DuckDBInstance.create(versionFile(warehouse, version));
  const connection = await instance.connect();
  await connection.run(`ALTER TABLE units DROP COLUMN datumLetzteAktualisierung`);
  await connection.run(`UPDATE dataset SET hashBasis = 'that of an earlier release'`);
  connection.closeSync();
  instance.closeSync();
  const [changed] = now.of('EinheitenWind').records;
  changed!.NameStromerzeugungseinheit = 'Umbenannt';
  const next = await buildIn(warehouse, now.write(days, '2026-11-02'), { force: true });
  const { sequence } = next.report;
  expect(await queryServed(warehouse, FORMER)).toEqual([{ mastrNummer: numberOf(changed!), seit: 1, bis: sequence }]);
  const since = await queryServed<{ inhaltSeit: number; gueltigSeit: number; n: number }>(
    warehouse,
    'SELECT inhaltSeit::INTEGER AS inhaltSeit, gueltigSeit::INTEGER AS gueltigSeit, count(*)::INTEGER AS n FROM units GROUP BY ALL ORDER BY ALL',
  );
  expect(since).toMatchObject([
    { inhaltSeit: sequence, gueltigSeit: 1 },
    { inhaltSeit: sequence, gueltigSeit: sequence, n: 1 },
  ]);
});
