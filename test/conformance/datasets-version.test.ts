import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { publish, reportFile, versionFile } from '../../sql/warehouse/versions.ts';
import { FIXTURE_VERSION, publishFixture, temporaryFolder } from '../support/fixture.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serve } from '../support/service.ts';

/** GET /v1/datasets/version: the version that is served, and what its build found. */

const PATH = '/v1/datasets/version';

/** Serves the small register after its version was changed. */
async function serveChanged(folder: string, ...statements: readonly string[]): Promise<OwnSubject> {
  await publishFixture(folder);
  const instance = await DuckDBInstance.create(versionFile(folder, FIXTURE_VERSION), { threads: '1' });
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  return serve(folder);
}

const report = (folder: string, content: string) => writeFileSync(reportFile(folder, FIXTURE_VERSION), content);

describe('a version that knows everything', () => {
  const warehouse = temporaryFolder();
  let service: OwnSubject;
  let first: ServiceResponse;
  beforeAll(async () => {
    service = await serveChanged(
      warehouse.path,
      "UPDATE dataset SET exportName = 'Gesamtdatenexport_20260314_25.2.zip', exportLevel = '25.2', builtAt = TIMESTAMP '2026-03-15 03:00:00.120456'",
      `INSERT INTO dateien VALUES
        ('EinheitenWind.xml', 'EinheitenWind', NULL, 'tabelle', 4096, 20, 16, 3, 1),
        ('Katalogwerte.xml', 'Katalogwerte', NULL, 'katalog', 512, 9, 9, 0, 0),
        ('Ertuechtigungen.xml', 'Ertuechtigungen', NULL, 'ungenutzt', 512, 5, 0, 0, 0)`,
      `INSERT INTO befunde (art, befund, feld, anzahl) VALUES
        ('EinheitenWind', 'katalog_id_unbekannt', 'Bundesland', 2), ('EinheitenSolar', 'katalog_id_unbekannt', 'Land', 5),
        ('EinheitenWind', 'wert_unlesbar', 'Breitengrad', 9), ('EinheitenWind', 'element_unbekannt', 'Neues', 1),
        ('Marktakteure', 'natuerliche_person', NULL, 3000000000), ('EinheitenWind', 'von_morgen', NULL, 1)`,
      `INSERT INTO vorgaenger VALUES ('20250201-0001', 1, 1), ('${FIXTURE_VERSION}', 2, 2)`,
    );
    report(warehouse.path, JSON.stringify({ historyDays: ['2023-04-01', '2024-01-01'], befunde: {} }));
    first = await service.get(PATH);
  });
  afterAll(async () => {
    await service.stop();
    warehouse.remove();
  });

  test('tells its day, its build, its publication and its units', () => {
    expect(first.json.data).toMatchObject({
      version: FIXTURE_VERSION,
      exportTag: '2026-03-14',
      gebautAm: '2026-03-15T03:00:00.120Z',
      veroeffentlichtAm: '2026-03-15T03:30:00.000Z',
      grund: 'bau',
      zeilen: 36,
      frueher: [],
    });
    expect(first.json.meta).toEqual({});
  });

  test('accounts for every record of the export', () => {
    const { export: account } = first.json.data;
    expect(account).toEqual({
      name: 'Gesamtdatenexport_20260314_25.2.zip',
      fassung: '25.2',
      dateien: 3,
      gelesen: 34,
      geladen: 25,
      doppelt: 3,
      abgelehnt: 1,
      ungenutzt: 5,
    });
    const { gelesen, geladen, doppelt, abgelehnt, ungenutzt } = account;
    expect(geladen + doppelt + abgelehnt + ungenutzt).toBe(gelesen);
  });

  test('has the findings by kind, the weightiest first, each in a German sentence', () => {
    const { befunde } = first.json.data;
    expect(befunde.map(({ art, anzahl, stufe }: Record<string, unknown>) => [stufe, art, anzahl])).toEqual([
      ['warnung', 'element_unbekannt', 1],
      ['hinweis', 'wert_unlesbar', 9],
      ['hinweis', 'katalog_id_unbekannt', 7],
      // A kind that only the release knows that has built the version.
      ['hinweis', 'von_morgen', 1],
      ['info', 'natuerliche_person', 3_000_000_000],
    ]);
    for (const { text } of befunde) expect(text).toMatch(/^\p{Lu}.+\.$/u);
  });

  test('its history begins with the oldest export that was added later', () => {
    expect(first.json.data.historieSeit).toBe('2023-04-01');
  });

  test('its history begins with the oldest version it was built upon, where no export was added', async () => {
    report(warehouse.path, JSON.stringify({ historyDays: [] }));
    expect((await service.get(PATH)).json.data.historieSeit).toBe('2025-02-01');
  });

  test.each([
    ['of another form', '{"historyDays": "all"}'],
    ['that is damaged', '{"historyDays":'],
  ])('with a report %s, where its history begins is unknown', async (_, content) => {
    report(warehouse.path, content);
    const answer = await service.get(PATH);
    expect([answer.status, answer.json.data.historieSeit]).toEqual([200, null]);
  });

  test('is 304 until it is published again, and then tells why, and what was served before', async () => {
    const tag = first.headers.get('etag') ?? '';
    const again = () => service.get(PATH, { ...withKey(service.key), 'If-None-Match': tag });
    expect((await again()).status).toBe(304);
    publish(warehouse.path, FIXTURE_VERSION, 'rollback', new Date('2026-03-16T08:00:00Z'));
    const later = await vi.waitFor(
      async () => {
        const answer = await again();
        expect(answer.status).toBe(200);
        return answer;
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(later.json.data).toMatchObject({
      veroeffentlichtAm: '2026-03-16T08:00:00.000Z',
      grund: 'ruecknahme',
      frueher: [
        {
          version: FIXTURE_VERSION,
          exportTag: '2026-03-14',
          veroeffentlichtAm: '2026-03-15T03:30:00.000Z',
          grund: 'bau',
        },
      ],
    });
  });

  test('has the last thirty publications before, newest first', async () => {
    const nights = Array.from({ length: 33 }, (_, night) => new Date(Date.UTC(2026, 3, 1 + night)));
    for (const night of nights) publish(warehouse.path, FIXTURE_VERSION, 'build', night);
    const before = nights.slice(2, -1).map((night) => night.toISOString());
    await vi.waitFor(
      async () => {
        const { frueher } = (await service.get(PATH)).json.data;
        expect(frueher.map(({ veroeffentlichtAm }: { veroeffentlichtAm: string }) => veroeffentlichtAm)).toEqual(
          before.toReversed(),
        );
      },
      { timeout: 60_000, interval: 50 },
    );
  });
});

test('what a version does not know is null', async () => {
  const warehouse = temporaryFolder();
  const service = await serveChanged(warehouse.path, 'DROP TABLE dateien', 'DROP TABLE befunde');
  const { status, json } = await service.get(PATH);
  expect([status, json.data]).toEqual([
    200,
    expect.objectContaining({ zeilen: 36, historieSeit: null, export: null, befunde: null }),
  ]);
  await service.stop();
  warehouse.remove();
});
