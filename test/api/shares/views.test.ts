import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import { admittedBy, isAdmitted, SHARED_PAGES, type View, viewOf } from '../../../api/shares/views.ts';

/** What a public link admits: the requests of its view, and nothing else. */

const asks = (view: View, operation: string, query = '', path: Record<string, string> = {}): boolean =>
  isAdmitted({ operation, path, query: new URLSearchParams(query) }, view);

const BAVARIA: View = { page: 'karte', query: 'region=bundesland%3ABayern' };

test('every operation that a view needs may be called through a link, and no other one may', () => {
  const needed = new Set(
    Object.keys(SHARED_PAGES).flatMap((page) => {
      const choices: Readonly<Record<string, string>> = {
        region: 'region=landkreis:09162',
        vergleich: 'filter=plz%3D8',
      };
      const admitted = admittedBy(viewOf(page, choices[page] ?? ''));
      return 'fault' in admitted ? [] : admitted.map(({ operation }) => operation);
    }),
  );
  const shared = OPERATIONS.filter((operation) => operation.shared === true);
  expect(shared.map(({ id }) => id).toSorted()).toEqual([...needed].sort());
  for (const operation of shared) {
    expect([operation.id, operation.method, operation.access, operation.source === 'file']).toEqual([
      operation.id,
      'GET',
      'api',
      false,
    ]);
  }
});

test('no view may ask for what is an organisation’s own', () => {
  const own = [
    ...[
      'portfolio',
      'portfolioRelationType',
      'portfolioExternalRef',
      'portfolioCustomField',
      'savedFilterId',
      'eventId',
    ],
    ...['include', 'expand', 'syncToken', 'updatedSince', 'format'],
  ];
  for (const page of Object.keys(SHARED_PAGES)) {
    for (const name of own) expect(admittedBy({ page, query: `${name}=x` })).toHaveProperty('fault');
    const admitted = admittedBy(viewOf(page, ''));
    if ('fault' in admitted) continue;
    for (const { needs = {}, may = {} } of admitted) {
      expect(Object.keys({ ...needs, ...may }).filter((name) => own.includes(name))).toEqual([]);
    }
  }
});

describe('a map', () => {
  test.each([
    ['', 'groupBy=landkreis&betriebsStatus=In Betrieb', true],
    ['', 'groupBy=bundesland&betriebsStatus=In Betrieb', false],
    ['', 'groupBy=landkreis&betriebsStatus=In Planung', false],
    ['', 'groupBy=landkreis', false],
    ['', 'groupBy=landkreis&betriebsStatus=In Betrieb&einheitTyp=wind', false],
    ['wert=pipeline', 'groupBy=landkreis&betriebsStatus=In Planung', true],
    ['wert=zubauKopf', 'groupBy=landkreis&inbetriebnahmeVon=2025-03-15&inbetriebnahmeBis=2026-03-14', true],
    ['traeger=wind,solar', 'groupBy=landkreis&betriebsStatus=In Betrieb&einheitTyp=solar,wind', true],
    ['traeger=wind,solar', 'groupBy=landkreis&betriebsStatus=In Betrieb&einheitTyp=solar', false],
    ['traeger=wind,solar', 'groupBy=landkreis&betriebsStatus=In Betrieb', false],
    ['region=bundesland:Bayern', 'groupBy=landkreis&betriebsStatus=In Betrieb&bundesland=Bayern', true],
    ['region=bundesland:Bayern', 'groupBy=gemeinde&betriebsStatus=In Betrieb&bundesland=Bayern', false],
    ['region=bundesland:Bayern&ebene=gemeinde', 'groupBy=gemeinde&betriebsStatus=In Betrieb&bundesland=Bayern', true],
    ['region=bundesland:Bayern&ebene=gemeinde', 'groupBy=gemeinde&bundesland=Bayern', true],
    ['region=bundesland:Bayern&ebene=gemeinde', 'groupBy=gemeinde&betriebsStatus=In Betrieb&landkreis=09162', false],
    [
      'region=bundesland:Bayern&ebene=gemeinde&alle=ja',
      'groupBy=gemeinde&betriebsStatus=In Betrieb&landkreis=09162',
      true,
    ],
    [
      'region=bundesland:Bayern&ebene=gemeinde&alle=ja',
      'groupBy=gemeinde&betriebsStatus=In Betrieb&landkreis=06412',
      false,
    ],
    [
      'region=bundesland:Bayern&ebene=gemeinde&alle=ja',
      'groupBy=gemeinde&betriebsStatus=In Betrieb&landkreis=09',
      false,
    ],
    ['region=bundesland:Bayern&alle=ja', 'groupBy=gemeinde&betriebsStatus=In Betrieb&landkreis=09162', false],
    ['region=gemeinde:09162000', 'groupBy=gemeinde&betriebsStatus=In Betrieb&landkreis=09162', true],
    ['region=gemeinde:09162000', 'groupBy=gemeinde&betriebsStatus=In Betrieb&landkreis=09163', false],
    ['region=gemeinde:09162000', 'groupBy=einheitTyp&betriebsStatus=In Betrieb&landkreis=09162', false],
    ['solarLage=Gewässer', 'groupBy=landkreis&betriebsStatus=In Betrieb&solarLage=Gewässer', true],
    ['solarLage=Gewässer', 'groupBy=landkreis&betriebsStatus=In Betrieb', false],
    ['betriebsStatus=In Planung', 'groupBy=landkreis&betriebsStatus=In Planung', true],
    ['betriebsStatus=In Planung', 'groupBy=landkreis&betriebsStatus=In Betrieb', false],
    [
      'wert=anteilAnzahl&traeger=solar&solarLage=Gewässer',
      'groupBy=landkreis&betriebsStatus=In Betrieb&einheitTyp=solar',
      true,
    ],
    ['wert=anteilAnzahl&traeger=solar&solarLage=Gewässer', 'groupBy=landkreis&betriebsStatus=In Betrieb', false],
    ['wert=anteilAnzahl&solarLage=Gewässer', 'groupBy=landkreis&betriebsStatus=In Betrieb&einheitTyp=solar', true],
    ['wert=anteilAnzahl&solarLage=Gewässer', 'groupBy=landkreis&betriebsStatus=In Betrieb', false],
    ['wert=anteilAnzahl&traeger=solar&anteilAn=alle', 'groupBy=landkreis&betriebsStatus=In Betrieb', true],
    ['jahr=2005', 'groupBy=landkreis&bestandAm=2005-12-31,2006-12-31', true],
    ['jahr=2005', 'groupBy=landkreis&betriebsStatus=In Betrieb', false],
    ['', 'groupBy=landkreis&betriebsStatus=In Betrieb&bestandAm=2005-12-31', false],
    ['wert=zuwachsLeistung', 'groupBy=landkreis&bestandAm=2005-12-31,2006-12-31', true],
    ['wert=zuwachsLeistung', 'groupBy=landkreis&bestandAm=2004-12-31,2005-12-31,2006-12-31', false],
  ])('with %s asks for %s: %s', (query, asked, is) => {
    expect(asks({ page: 'karte', query }, 'aggregations.show', asked)).toBe(is);
  });

  test('asks no other operation, and for no other set of values', () => {
    const areas = 'groupBy=landkreis&betriebsStatus=In Betrieb&bundesland=Bayern';
    for (const id of ['units.list', 'region.zeitreihe', 'qualitaet.show', 'units.search', 'me.show']) {
      expect(asks(BAVARIA, id, areas)).toBe(false);
    }
    expect(asks(BAVARIA, 'reference.values', '', { set: 'bundesland' })).toBe(true);
    expect(asks(BAVARIA, 'reference.values', 'q=Bayern&limit=100', { set: 'bundesland' })).toBe(true);
    expect(asks(BAVARIA, 'reference.values', 'q=Bayern&limit=1000', { set: 'bundesland' })).toBe(false);
    expect(asks(BAVARIA, 'reference.values', 'q=Bayern', { set: 'landkreis' })).toBe(false);
    expect(asks(BAVARIA, 'reference.values', '', { set: 'betreiber' })).toBe(false);
    expect(asks(BAVARIA, 'reference.values', '', { set: 'bundesland', more: 'x' })).toBe(false);
  });
});

test('a name of an object’s own members is no choice, no page and no parameter', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect(admittedBy({ page: name, query: '' })).toHaveProperty('fault');
    expect(admittedBy({ page: 'zeitreihe', query: `${name}=x` })).toHaveProperty('fault');
    expect(asks({ page: 'zeitreihe', query: '' }, 'region.zeitreihe', `${name}=x`)).toBe(false);
  }
});

test('a comparison asks for the filters that it has, and none may be of the organisation’s own', () => {
  const view = viewOf('vergleich', 'filter=einheitTyp%3Dwind%26leistungMinKw%3D3000;plz%3D8');
  const asked = 'aggregations.zeitreihe';
  expect(asks(view, asked, 'einheitTyp=wind&leistungMinKw=3000&periode=jahr')).toBe(true);
  expect(asks(view, asked, 'plz=8&periode=jahr')).toBe(true);
  for (const query of ['einheitTyp=wind&periode=jahr', 'plz=8&periode=monat', 'plz=81&periode=jahr', 'periode=jahr']) {
    expect(asks(view, asked, query)).toBe(false);
  }
  for (const own of ['savedFilterId=x', 'portfolio=true', 'constructor=x', 'groupBy=plz']) {
    const other = viewOf('vergleich', `filter=${encodeURIComponent(own)}`);
    expect(admittedBy(other), own).toHaveProperty('fault');
    expect(asks(other, asked, `${own}&periode=jahr`)).toBe(false);
  }
});

test('a comma within a name is none between places', () => {
  const view = { page: 'vergleich', query: 'orte=landkreis:Hof, Bayern,deutschland,plz:8' };
  for (const query of ['ebene=landkreis&region=Hof, Bayern', '', 'ebene=plz&region=8']) {
    expect(asks(view, 'region.zeitreihe', `${query}&periode=jahr`)).toBe(true);
  }
  expect(asks(view, 'region.zeitreihe', 'ebene=landkreis&region=Hof&periode=jahr')).toBe(false);
  expect(asks(view, 'region.zeitreihe', 'ebene=landkreis&periode=jahr')).toBe(false);
  expect(asks(view, 'reference.values', 'q=Hof', { set: 'landkreis' })).toBe(true);
});

test('places of a level may be asked for together, and no others with them', () => {
  const view = { page: 'vergleich', query: 'orte=landkreis:09162,landkreis:08118,bundesland:Bayern' };
  const series = (query: string) => asks(view, 'region.zeitreihe', `ebene=landkreis&periode=jahr&${query}`);
  expect([series('region=09162&region=08118'), series('region=08118')]).toEqual([true, true]);
  expect([series('region=09162&region=09163'), series('region=Bayern'), series('region=09162&von=a&von=b')]).toEqual([
    false,
    false,
    false,
  ]);
});
