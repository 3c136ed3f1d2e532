import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveFilter } from '../support/saved-filters.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** The time series of whatever units meet filters: that of a place where the filter is one, and never other units than the list has. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

type Row = Readonly<Record<string, string | number | null>>;

const FIGURES = ['zubau', 'abbau', 'pipeline'].flatMap((series) => [`${series}Anzahl`, `${series}Mw`, `${series}Mwh`]);

const rowsOf = async (path: string): Promise<Row[]> => {
  const { status, json, text } = await service.get(path);
  expect(status, text).toBe(200);
  return json.data.map((row: Row) =>
    Object.fromEntries(['periode', 'energietraeger', ...FIGURES].map((name) => [name, row[name] ?? null])),
  );
};

test.each([
  ['', ''],
  ['bundesland=Bayern', 'ebene=bundesland&region=Bayern'],
  ['plz=8', 'ebene=plz&region=8'],
  ['einheitTyp=wind,storage', 'energietraeger=wind,storage'],
  ['auffaellige=ohne', 'auffaellige=ohne'],
  ['von=2001-05-15&bis=2020-03-10', 'von=2001-05-15&bis=2020-03-10'],
])('of %s is that of the place or carriers', async (filter, place) => {
  for (const periode of ['jahr', 'quartal', 'monat']) {
    const rows = await rowsOf(`/v1/aggregations/zeitreihe?periode=${periode}&${filter}`);
    expect(rows).toEqual(await rowsOf(`/v1/region/zeitreihe?periode=${periode}&${place}`));
    expect(rows.length).toBeGreaterThan(0);
  }
});

test.each([
  'leistungMinKw=100',
  'suche=park',
  'hatKoordinaten=true&leistungMaxKw=5000',
  'inbetriebnahmeVon=2010-01-01',
  'betriebsStatus=In Betrieb&einheitTyp=solar',
  'stilllegungVon=2000-01-01',
])('of %s counts the units of the list', async (filter) => {
  const path = `/v1/aggregations/zeitreihe?periode=jahr&${filter}`;
  const rows = await rowsOf(path);
  const { data } = (
    await service.get(`/v1/units?limit=100&fields=einheitTyp,inbetriebnahmedatum,stilllegungsdatum&${filter}`)
  ).json;
  for (const [series, field] of [
    ['zubauAnzahl', 'inbetriebnahmedatum'],
    ['abbauAnzahl', 'stilllegungsdatum'],
  ] as const) {
    const byYear = new Map<string, number>();
    for (const unit of data) {
      if (unit[field] === null) continue;
      const place = `${unit[field].slice(0, 4)} ${unit.einheitTyp}`;
      byYear.set(place, (byYear.get(place) ?? 0) + 1);
    }
    const counted = rows.filter((row) => Number(row[series]) > 0);
    expect(new Map(counted.map((row) => [`${row.periode} ${row.energietraeger}`, row[series]]))).toEqual(byYear);
  }
});

test('of a saved filter is that of its criteria, and other filters cannot stand beside it', async () => {
  const { id } = await saveFilter(service.store, service.organisation.id, { criteria: { einheitTyp: ['wind'] } });
  const rows = await rowsOf(`/v1/aggregations/zeitreihe?periode=jahr&savedFilterId=${id}`);
  expect(rows).toEqual(await rowsOf('/v1/aggregations/zeitreihe?periode=jahr&einheitTyp=wind'));
  const { json } = await service.get(`/v1/aggregations/zeitreihe?savedFilterId=${id}&plz=8`);
  expect(json.code).toBe('FILTER_CONFLICT');
});

test('of nothing is empty, and filters that contradict each other are refused', async () => {
  expect(await rowsOf('/v1/aggregations/zeitreihe?leistungMinKw=99999999')).toEqual([]);
  expect((await service.get('/v1/aggregations/zeitreihe?von=2020-01-02&bis=2020-01-01')).status).toBe(400);
  expect((await service.get('/v1/aggregations/zeitreihe?ebene=plz&region=8')).status).toBe(400);
});
