import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { written } from '../../api/shares/words.ts';
import type { Carrier } from '../../dashboards/web/charts/carriers.ts';
import { MEASURE, type MeasureId } from '../../dashboards/web/pages/karte/measures.ts';
import { groupsAt } from '../../dashboards/web/pages/karte/stock.ts';
import { comparedRange, knownRange, type Measure, valuesOf } from '../../dashboards/web/pages/vergleich/series.ts';
import { type PeriodKind, periodOfDay } from '../../dashboards/web/periods/periods.ts';
import type { Group } from '../../dashboards/web/v1/answers.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';

/** The picture of a link has the values that the page computes from the same answers. */

let service: OwnSubject;
let asOf = '';
beforeAll(async () => {
  service = await serveOwnFixture();
  const { json } = await service.get('/v1/datasets');
  asOf = json.data.find(({ name }: { name: string }) => name === 'mastr_einheiten').asOf;
});
afterAll(() => service.stop());

async function picture(page: string, query: string, language = 'de') {
  const made = await service.send('POST', '/v1/shares', {
    headers: { ...withKey(service.key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Bild', page, query, endsOn: '2027-01-31' }),
  });
  expect(made.status, made.text).toBe(201);
  const response = await fetch(made.json.data.pictureUrl, { headers: { 'Accept-Language': language } });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const part = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '';
  return { title: part('title'), told: part('desc'), text, url: made.json.data.pictureUrl, response };
}

const spoken = (values: readonly (number | null)[]): string[] => values.map((value) => written(value, 'de'));

/** The values of a series in the text of a picture, without the periods. */
const valuesIn = (told: string, name: string): string[] =>
  (told.split('; ').find((one) => one.replace('Werte: ', '').startsWith(`${name}: `)) ?? '')
    .replace(/^(Werte: )?[^:]*: /, '')
    .split(/, (?=\d{4} |Q\d |\d\d\/)/)
    .map((part) => part.replace(/^.* /, ''));

describe('of Vergleich', () => {
  test.each([
    ['reihe=zubau&bezug=kopf&von=2000-01-01&bis=2025-12-31', { reihe: 'zubau', wert: 'mw', bezug: 'kopf' }],
    ['reihe=bestand&bezug=index&zeitraum=20jahre', { reihe: 'bestand', wert: 'mw', bezug: 'index' }],
    ['reihe=netto&bezug=absolut&zeitraum=alles', { reihe: 'netto', wert: 'mw', bezug: 'absolut' }],
    ['reihe=bestand&bezug=anteil&wert=anzahl', { reihe: 'bestand', wert: 'anzahl', bezug: 'anteil' }],
    ['reihe=bestand&bezug=deutschland&periode=quartal', { reihe: 'bestand', wert: 'mw', bezug: 'deutschland' }],
    ['reihe=pipeline&bezug=absolut&wert=anzahl', { reihe: 'pipeline', wert: 'anzahl', bezug: 'absolut' }],
    ['reihe=zubau&bezug=flaeche&traeger=wind,solar', { reihe: 'zubau', wert: 'mw', bezug: 'flaeche' }],
  ] as const)('with %s', async (query, measure) => {
    const places = ['Bayern', 'Niedersachsen'];
    const choices = new URLSearchParams(query);
    const kind = (choices.get('periode') ?? 'jahr') as PeriodKind;
    const carriers = (choices.get('traeger')?.split(',') ?? ['solar']) as Carrier[];
    const ask = async (at: string) => (await service.get(`/v1/region/zeitreihe?periode=${kind}${at}`)).json;
    const answers = await Promise.all(places.map((name) => ask(`&ebene=bundesland&region=${name}`)));
    const choice = {
      reihe: measure.reihe,
      zeitraum: (choices.get('zeitraum') ?? '10jahre') as 'alles',
      von: choices.get('von'),
      bis: choices.get('bis'),
    };
    const range = comparedRange(kind, choice, asOf, knownRange(answers, kind, carriers));
    const window = { kind, range, now: periodOfDay(kind, asOf) };
    const orte = places.map((name) => `bundesland:${name}`).join();
    const { told, title } = await picture('vergleich', `orte=${orte}&${query}`);
    expect(title).not.toContain('Leistung in Betrieb');
    for (const [index, name] of places.entries()) {
      const expected = valuesOf(answers[index], measure as Measure, carriers, window, await ask(''));
      expect([name, valuesIn(told, name)]).toEqual([name, spoken(expected)]);
    }
  });

  test('says in words that there are none where it cannot draw them', async () => {
    const { told, text } = await picture('vergleich', 'orte=deutschland&filter=einheitTyp%3Dwind');
    expect(told).toContain('Die Werte dieser Ansicht stehen auf der Seite');
    expect(text).not.toMatch(/<polyline|text-anchor/);
  });
});

describe('of the map', () => {
  const figures = async (query: string): Promise<Group[]> =>
    (await service.get(`/v1/aggregations?groupBy=bundesland${query}`)).json.data.groups;
  const expected = (id: MeasureId, groups: readonly Group[], others: readonly Group[] | null) =>
    groups
      .filter(({ key, count }) => key !== null && count > 0)
      .map((group) => ({
        key: group.key,
        value: MEASURE[id].valueOf(group, others?.find(({ key }) => key === group.key) ?? null),
      }))
      .filter(({ value }) => value !== null)
      .toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0))
      .slice(0, 12)
      .map(({ key, value }) => `${key}: ${written(value, 'de')}`)
      .toSorted();
  const told = async (query: string) =>
    (await picture('karte', `ebene=bundesland&${query}`)).told.split('; ').toSorted();

  test('in a year', async () => {
    const groups = groupsAt(await figures('&bestandAm=2005-12-31'), 0);
    expect(await told('jahr=2005')).toEqual(expected('leistung', groups, null));
    expect(await told('jahr=2005&wert=leistungKopf')).toEqual(expected('leistungKopf', groups, null));
  });

  test('as a change', async () => {
    const groups = await figures('&bestandAm=2005-12-31,2015-12-31');
    const [before, after] = [groupsAt(groups, 0), groupsAt(groups, 1)];
    expect(await told('wert=zuwachsLeistung&von=2005-12-31&bis=2015-12-31')).toEqual(
      expected('zuwachsLeistung', after, before),
    );
  });

  test('as a share', async () => {
    const running = '&betriebsStatus=In Betrieb';
    const groups = await figures(`${running}&einheitTyp=solar`);
    expect(await told('wert=anteilAnzahl&traeger=solar&anteilAn=alle')).toEqual(
      expected('anteilAnzahl', groups, await figures(running)),
    );
  });

  test.each(['anzahl', 'dichte', 'anzahlFlaeche', 'anzahlKopf', 'speicher', 'speicherKopf'] as const)(
    'by %s',
    async (id) => {
      expect(await told(`wert=${id}`)).toEqual(expected(id, await figures('&betriebsStatus=In Betrieb'), null));
    },
  );

  test('of what is planned', async () => {
    expect(await told('wert=pipeline')).toEqual(
      expected('pipeline', await figures('&betriebsStatus=In Planung'), null),
    );
  });
});

test('a series has what was chosen: carriers, value, range', async () => {
  const { told, title } = await picture(
    'zeitreihe',
    'region=bundesland:Bayern&periode=jahr&wert=anzahl&reihen=zubau&von=2000-01-01&bis=2020-12-31&traeger=wind',
  );
  const { json } = await service.get(
    '/v1/region/zeitreihe?ebene=bundesland&region=Bayern&periode=jahr&energietraeger=wind&von=2000-01-01&bis=2020-12-31',
  );
  const of = (year: number) =>
    json.data
      .filter(({ periode }: { periode: string }) => periode === String(year))
      .reduce((sum: number, row: { zubauAnzahl: number }) => sum + row.zubauAnzahl, 0);
  expect(valuesIn(told, 'Zubau')).toEqual(spoken(Array.from({ length: 21 }, (_, index) => of(2000 + index))));
  expect(title).toContain('Zubau: Bayern, 2000 bis 2020');
});

describe('the language', () => {
  test('is that of the reader, or that of the address, in words and numbers', async () => {
    const { title, url, response, text } = await picture('karte', 'ebene=bundesland', 'en');
    expect(title).toBe('Power by state: Germany (MW gross, units in operation)');
    expect(text).toContain('Source: Bundesnetzagentur');
    expect(response.headers.get('vary')).toContain('Accept-Language');
    const german = await fetch(`${url}?sprache=de`, { headers: { 'Accept-Language': 'en' } });
    expect(await german.text()).toContain('Leistung nach Bundesländern: Deutschland');
    expect(german.headers.get('etag')).not.toBe(response.headers.get('etag'));
  });

  test('of each page has no German word left', async () => {
    for (const [page, query] of [
      ['ueberblick', ''],
      ['vergleich', 'orte=deutschland,plz:2&reihe=netto&bezug=anteil&wert=anzahl'],
      ['vergleich', 'orte=deutschland&filter=einheitTyp%3Dwind'],
      ['zeitreihe', 'kumuliert=ja'],
      ['altersstruktur', 'wert=anzahl&traeger=wind'],
      ['karte', 'ebene=bundesland&wert=zubauKopf'],
      ['einheiten', 'einheitTyp=wind'],
      ['ausschreibungen', ''],
    ] as const) {
      const { title } = await picture(page, query, 'en');
      expect([page, title]).toEqual([page, expect.not.stringMatching(/brutto|Einheiten|Zubau|Deutschland|alle|je /)]);
    }
  });
});
