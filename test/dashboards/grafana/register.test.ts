import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { currentPublication } from '../../../sql/warehouse/versions.ts';
import { publishSample } from '../../support/built.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import type { ClickHouseAccess } from '../../support/clickhouse-server.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests } from '../../support/exports.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { type Panel, panelsOf, readBoard, tablesTargets } from './board.ts';
import { type Chosen, inClickHouse } from './variables.ts';

/**
 * The board of the register on the engine of ClickHouse itself, over its HTTP interface and as the user that Grafana has.
 * Every statement is sent, and figures are those that the API answers from the file of the same version.
 */

const board = readBoard('register');
const panels = panelsOf(board);
const folder = folderOfTests();
const warehouse = join(folder.path, 'state/warehouse');
/** The board counts age on the day of the server. */
const TODAY = new Date().toISOString().slice(0, 10);
const PREFIX = 'energy_boards';
let server: ClickHouseAccess;
let service: OwnSubject;
let database: string;

interface Rows {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly Readonly<Record<string, string | number | null>>[];
}

const ask = async (statement: string): Promise<Rows> =>
  JSON.parse(
    await server.run(
      `${statement}\nFORMAT JSON SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 25`,
      'energy_board',
    ),
  );

beforeAll(async () => {
  server = await clickhouseOfRun();
  await publishSample(warehouse);
  const { version } = currentPublication(warehouse)!;
  database = databaseOf(PREFIX, version);
  const load = { WAREHOUSE_URL: server.warehouse('energy_loader', PREFIX) };
  expect(await ingestHere(join(folder.path, 'state'), ['publish', version], load)).toMatchObject({ code: 0 });
  const copy = join(folder.path, 'copy');
  cpSync(warehouse, copy, { recursive: true });
  service = await serve(copy, { TODAY });
});

afterAll(async () => {
  await service?.stop();
  folder.remove();
});

/** Everything, over a range that holds every tender and most of the growth. */
const everything = (): Chosen => ({
  values: { warehouse: PREFIX, version: database, carrier: 'all', state: 'all', period: 'year' },
  from: new Date('2005-01-01T00:00:00Z'),
  to: new Date('2026-12-31T00:00:00Z'),
});

const chosen = (values: Chosen['values']): Chosen => ({
  ...everything(),
  values: { ...everything().values, ...values },
});

const panelNamed = (title: string): Panel => panels.find((panel) => panel.title === title)!;

const rowsOf = async (title: string, choice: Chosen): Promise<Rows['data']> =>
  (await ask(inClickHouse(tablesTargets(panelNamed(title))[0]!.rawSql, choice))).data;

describe.each(panels.map((panel) => [panel.title, panel] as const))('%s', (_, panel) => {
  test('its statement gives rows with the columns that the panel shows', async () => {
    for (const { rawSql, format } of tablesTargets(panel)) {
      const { meta, data } = await ask(inClickHouse(rawSql, everything()));
      const columns = meta.map(({ name }) => name);
      expect(data.length).toBeGreaterThan(0);
      for (const column of columnsShown(panel)) expect(columns).toContain(column);
      if (panel.type === 'stat') expect([data.length, columns.length]).toEqual([1, 1]);
      if (format === 1) continue;
      expect(meta[0]).toEqual({ name: 'time', type: expect.stringMatching(/^Date(32|Time)?$/) });
      const times = data.map(({ time }) => String(time));
      expect(times).toEqual([...times].sort());
      expect(meta.at(-1)!.type).toMatch(/Int|Float|Decimal/);
    }
  });

  test.each([
    [
      'carriers, a state and months',
      { carrier: ['wind', 'solar'], state: ['Niedersachsen', 'Bayern'], period: 'month' },
    ],
    ['a value that nobody has', { carrier: ["o'clock"], state: ['Atlantis'], period: 'quarter' }],
  ] as const)('is a statement for %s, too', async (_, values) => {
    for (const { rawSql } of tablesTargets(panel)) await ask(inClickHouse(rawSql, chosen(values)));
  });
});

/** The columns that a panel names. */
function columnsShown({ fieldConfig: { defaults, overrides }, options, transformations = [] }: Panel): string[] {
  const label = /^\$\{__field\.labels\.(\w+)\}$/.exec(defaults.displayName ?? '')?.[1];
  const matrix = transformations.flatMap(({ options: { rowField, columnField, valueField } }) =>
    [rowField, columnField, valueField].map(String),
  );
  return [
    ...overrides.map(({ matcher }) => matcher.options),
    ...matrix,
    ...(label === undefined ? [] : [label]),
    ...(options.xField === undefined ? [] : [options.xField]),
  ];
}

describe('the variables', () => {
  const statementOf = (name: string): string =>
    (board.templating.list.find((variable) => variable.name === name)!.query as { rawSql: string }).rawSql;
  const offered = async (name: string) => {
    const { data } = await ask(inClickHouse(statementOf(name), everything()));
    return data.map((row) => Object.values(row));
  };

  test('offer the published version first, whatever was published before, and none that is gone', async () => {
    const version = database.replace(`${PREFIX}_v`, '').replace('_', '-');
    expect(await offered('version')).toEqual([[database, version]]);
    const publish = (number: number, id: string) =>
      server.run(
        `INSERT INTO ${PREFIX}.publications (number, version, sequence, exportDay, publishedAt, cause) VALUES (${number}, '${id}', ${number}, '2026-11-02', now(), 'build')`,
      );
    await publish(2, '20261102-0002');
    await server.run(`CREATE DATABASE ${PREFIX}_v20261103_0003`);
    await server.run(`CREATE TABLE ${PREFIX}_v20261103_0003.dataset AS ${database}.dataset`);
    await server.run(`INSERT INTO ${PREFIX}_v20261103_0003.dataset SELECT * FROM ${database}.dataset`);
    await publish(3, '20261103-0003');
    const newer = [`${PREFIX}_v20261103_0003`, '20261103-0003'];
    expect(await offered('version')).toEqual([newer, [database, version]]);
    await publish(4, version);
    expect(await offered('version')).toEqual([[database, version], newer]);
  });

  test('offer carriers and states of the version', async () => {
    expect(await offered('carrier')).toContainEqual(['wind']);
    expect(await offered('state')).toContainEqual(['Niedersachsen']);
  });
});

describe('the figures are those of the API', () => {
  const api = async (path: string) => (await service.get(path)).json;

  test('units and capacity in operation', async () => {
    const query = `groupBy=einheitTyp&betriebsStatus=${encodeURIComponent('In Betrieb')}`;
    const { totals } = (await api(`/v1/aggregations?${query}`)).data;
    const [units] = await rowsOf('Units in operation', everything());
    const [capacity] = await rowsOf('Capacity in operation', everything());
    expect(totals.count).toBeGreaterThan(1000);
    expect(units).toEqual({ einheiten: totals.count });
    expect(capacity!.kW).toBeCloseTo(totals.bruttoleistungKw, 3);
  });

  test('what is planned', async () => {
    const path = '/v1/region/momentaufnahme?ebene=bundesland&region=Niedersachsen&energietraeger=wind';
    const { pipeline } = (await api(path)).data;
    const [planned] = await rowsOf('Planned', chosen({ carrier: ['wind'], state: ['Niedersachsen'] }));
    expect(pipeline.mw).toBeGreaterThan(0);
    expect(planned!.kW).toBeCloseTo(pipeline.mw * 1000, 3);
  });

  test.each([
    ['Added', 'zubauMw'],
    ['Decommissioned', 'abbauMw'],
  ])('%s by year and carrier', async (title, member) => {
    const { data } = await api('/v1/region/zeitreihe?periode=jahr&von=2005-01-01&bis=2026-12-31');
    const answered = data.filter((row: Record<string, number>) => row[member]! > 0);
    const rows = (await rowsOf(title, everything())).filter(({ kW }) => Number(kW) > 0);
    expect(rows.length).toBeGreaterThan(5);
    expect(
      rows.map(({ time, energietraeger, kW }) => [String(time).slice(0, 4), energietraeger, megawatts(kW)]),
    ).toEqual(answered.map((row: Record<string, unknown>) => [row.periode, row.energietraeger, row[member]]));
  });

  test('capacity by age', async () => {
    const { data } = await api('/v1/region/altersstruktur');
    const mw = (carrier: unknown, cohort: string): number =>
      data.find((row: Record<string, unknown>) => row.energietraeger === carrier && row.kohorte === cohort)?.mw ?? 0;
    const rows = await rowsOf('Capacity by age', everything());
    expect(rows.length).toBeGreaterThan(3);
    for (const { energietraeger, ...cohorts } of rows) {
      expect(Object.values(cohorts).map(megawatts)).toEqual(
        ['0-20', '20-25', '25+'].map((cohort) => mw(energietraeger, cohort)),
      );
    }
  });

  test('rounds of tenders', async () => {
    const { data } = await api('/v1/ausschreibungen?status=IMPORTED&von=2005-01-01&bis=2026-12-31');
    const rows = await rowsOf('Rounds', everything());
    expect(rows.length).toBeGreaterThan(50);
    // The panel also reads versions of an earlier release, which have no caps.
    const shown = Object.keys(rows[0]!).filter((column) => column !== 'gebotstermin');
    expect(shown).toHaveLength(8);
    expect(rows).toEqual(
      data.slice(0, 200).map((row: Record<string, unknown>) => ({
        gebotstermin: row.datum,
        ...Object.fromEntries(shown.map((column) => [column, row[column]])),
      })),
    );
  });

  test('districts that added most', async () => {
    const [first] = await rowsOf('Districts that added most', everything());
    const query = `ebene=landkreis&region=${first!.schluessel}&periode=jahr&von=2005-01-01&bis=2026-12-31`;
    const { data } = await api(`/v1/region/zeitreihe?${query}`);
    const sum = data.reduce((all: number, { zubauMw }: { zubauMw: number }) => all + zubauMw, 0);
    expect(megawatts(first!.kW)).toBeCloseTo(sum, 3);
  });
});

const megawatts = (kW: unknown): number => Math.round(Number(kW) * 1000) / 1e6;
