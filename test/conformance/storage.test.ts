import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildVersion, temporaryFolder } from '../support/fixture.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** Energy of storage: a plant counts once, wherever its units are. */

const VERSION = '20260314-0001';

const folder = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await buildVersion(folder.path, VERSION, async (connection) => {
    // A plant of 900 kWh with units in two states, of which one is planned; a home; pumped storage; a battery of unknown energy.
    await connection.run(`
      INSERT INTO units BY NAME
      SELECT
        'SEE90000000000' || nr AS mastrNummer, 'storage' AS einheitTyp, statusId, kw AS bruttoleistungKw, region,
        CASE region WHEN 1 THEN 'Bayern' ELSE 'Hessen' END AS bundesland,
        CASE region WHEN 1 THEN '80331' ELSE '60311' END AS plz,
        ibn::DATE AS inbetriebnahmedatum, plan::DATE AS geplantesInbetriebnahmedatum,
        energie AS speicherkapazitaetKwh, anteil AS speicherkapazitaetAnteilKwh, segment AS speichersegment,
        stunden AS speicherdauerStunden
      FROM (VALUES
        (1, 35, 200.000, 1, '2020-01-15', NULL, 900.000, 600.000, 'gewerbe', 3.000),
        (2, 31, 100.000, 2, NULL, '2026-06-01', 900.000, 300.000, 'gewerbe', 3.000),
        (3, 35, 5.000, 2, '2026-03-01', NULL, 10.001, 10.001, 'heim', 2.000),
        (4, 35, 50000.000, 1, '1976-01-15', NULL, 400000.000, 400000.000, 'pumpspeicher', 8.000),
        (5, 35, 3.000, 1, '2020-01-20', NULL, NULL, NULL, NULL, NULL)
      ) AS einheiten (nr, statusId, kw, region, ibn, plan, energie, anteil, segment, stunden)`);
  });
  publish(folder.path, VERSION, 'build', new Date());
  service = await serve(folder.path);
});
afterAll(async () => {
  await service?.stop();
  folder.remove();
});

const energies = async (query: string) => {
  const { json } = await service.get(`/v1/aggregations?${query}`);
  const groups = json.data.groups.map((group: Record<string, unknown>) => [group.key, group.speicherkapazitaetKwh]);
  return { ...Object.fromEntries(groups), total: json.data.totals.speicherkapazitaetKwh };
};

const lastDigits = (units: readonly { mastrNummer: string }[]): string =>
  units.map(({ mastrNummer }) => mastrNummer.at(-1)).join('');

const units = async (query: string): Promise<string> => lastDigits((await service.get(`/v1/units?${query}`)).json.data);

describe('sums', () => {
  test('groups that share a plant add up to the total, counted before and counted for the question', async () => {
    const byState = { Bayern: 400_600, Hessen: 310.001, total: 400_910.001 };
    expect(await energies('groupBy=bundesland')).toEqual(byState);
    expect(await energies('groupBy=bundesland&einheitTyp=storage')).toEqual(byState);
    expect(await energies('groupBy=speichersegment&bundesland=Bayern')).toEqual({
      ...{ gewerbe: 600, pumpspeicher: 400_000, null: 0, total: 400_600 },
    });
    expect(await energies('groupBy=speichersegment')).toEqual({
      ...{ gewerbe: 900, heim: 10.001, pumpspeicher: 400_000, null: 0, total: 400_910.001 },
    });
  });

  test('as CSV, in the last column', async () => {
    const { text } = await service.get('/v1/aggregations?groupBy=speichersegment&speichersegment=gewerbe&format=csv');
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^key,count,bruttoleistungKw,durchschnittsleistungKw,speicherkapazitaetKwh$/),
      'gewerbe,2,300,150,900',
    ]);
  });

  test.each(['', '&ebene=bundesland&region=Bayern', '&ebene=plz&region=80331'])(
    'by period of each series, of the country and of a region: "%s"',
    async (region) => {
      const { json } = await service.get(`/v1/region/zeitreihe?periode=jahr${region}`);
      const rows = json.data.map((row: Record<string, unknown>) => [row.periode, row.zubauMwh, row.pipelineMwh]);
      const inHessen = region === '' ? [['2026', 0.010001, 0.3]] : [];
      expect(rows).toEqual([['1976', 400, 0], ['2020', 0.6, 0], ...inHessen]);
    },
  );

  test('by age, and in the snapshot', async () => {
    const { json: ages } = await service.get('/v1/region/altersstruktur');
    expect(ages.data.map(({ kohorte, mwh }: Record<string, unknown>) => [kohorte, mwh])).toEqual([
      ['0-20', 0.610001],
      ['25+', 400],
    ]);
    const { json } = await service.get('/v1/region/momentaufnahme');
    expect([json.data.zubau90Tage, json.data.abbau90Tage, json.data.pipeline]).toMatchObject([
      { anzahl: 1, mwh: 0.010001 },
      { anzahl: 0, mwh: 0 },
      { anzahl: 1, mwh: 0.3 },
    ]);
  });
});

describe('lists', () => {
  test.each([
    ['speicherkapazitaetMinKwh=900&speicherkapazitaetMaxKwh=900', '12'],
    ['speicherkapazitaetMinKwh=10.0011', '124'],
    ['speichersegment=heim,pumpspeicher', '34'],
    // Units without a value come last in both directions.
    ['sort=speicherkapazitaetKwh:desc', '41235'],
    ['sort=speicherkapazitaetKwh:asc,mastrNummer:desc', '32145'],
  ])('%s', async (query, expected) => {
    expect(await units(query)).toBe(expected);
  });

  test('are read page by page in the order of energy, from the last value to units without one', async () => {
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json } = await service.get(`/v1/units?sort=speicherkapazitaetKwh:desc&limit=2${from}`);
      pages.push(lastDigits(json.data));
      ({ cursor } = json.meta.page);
    }
    expect(pages).toEqual(['41', '23', '5']);
  });

  test.each([
    ['speichersegment=klein', 'INVALID_PARAMETER'],
    ['speicherkapazitaetMinKwh=viel', 'INVALID_PARAMETER'],
    ['speicherkapazitaetMinKwh=2&speicherkapazitaetMaxKwh=1', 'FILTER_CONFLICT'],
    ['sort=speicherkapazitaetAnteilKwh:asc', 'NOT_SORTABLE'],
  ])('400: %s', async (query, code) => {
    const { status, json } = await service.get(`/v1/units?${query}`);
    expect([status, json.code]).toEqual([400, code]);
  });

  test('a unit has the energy of its plant, its share of it, the segment and the hours', async () => {
    const names = 'speicherkapazitaetKwh,speicherkapazitaetAnteilKwh,speichersegment,speicherdauerStunden';
    const { json } = await service.get(`/v1/units?mastrNummern=SEE900000000002&fields=${names}`);
    expect(json.data).toMatchObject([
      {
        speicherkapazitaetKwh: 900,
        speicherkapazitaetAnteilKwh: 300,
        speichersegment: 'gewerbe',
        speicherdauerStunden: 3,
      },
    ]);
  });
});
