import { expect, test } from 'vitest';
import {
  BASES,
  COMPARED_SPANS,
  choiceFault,
  GROWTH_SERIES,
  GROWTH_SPANS,
  MAP_MEASURES,
  PERIODS,
  SERIES,
  VALUES,
} from '../../../api/shares/choices.ts';
import { MEASURES } from '../../../dashboards/web/pages/karte/measures.ts';
import * as compared from '../../../dashboards/web/pages/vergleich/series.ts';
import * as growth from '../../../dashboards/web/pages/zeitreihe/growth.ts';
import * as range from '../../../dashboards/web/pages/zeitreihe/range.ts';
import { PERIOD_KINDS } from '../../../dashboards/web/periods/periods.ts';

/** What a link takes is what its page takes. */

test('the words of choices are those of the pages, the usual one first', () => {
  expect(SERIES).toEqual(compared.SERIES);
  expect(VALUES).toEqual(compared.VALUES);
  expect(VALUES).toEqual(growth.MEASURES);
  expect(BASES).toEqual(compared.BASES);
  expect(COMPARED_SPANS).toEqual(compared.SPANS);
  expect(GROWTH_SPANS).toEqual(range.SPANS);
  expect(GROWTH_SERIES).toEqual(growth.SERIES);
  expect(MAP_MEASURES).toEqual(MEASURES);
  expect(PERIODS.toSorted()).toEqual(PERIOD_KINDS.toSorted());
});

test.each([
  ['vergleich', 'reihe=netto&wert=mwh&bezug=index&von=2000-01-01&bis=2020-12-31&form=karte&einzeln=ja'],
  ['vergleich', 'filter=einheitTyp%3Dwind%26leistungMinKw%3D3000;plz%3D8&ohne=plz:8,deutschland'],
  ['zeitreihe', 'zeitraum=12monate&periode=monat&wert=anzahl&kumuliert=ja&anordnung=nebeneinander&reihen=zubau,netto'],
  ['altersstruktur', 'wert=anzahl&pyramide=getrennt&traeger=wind,solar'],
  ['karte', 'region=landkreis:09162&wert=zuwachsAnzahl&von=2015-12-31&klassen=faktor&alle=ja&leistungMinKw=30'],
  ['karte', 'region=bundesland:Bayern&jahr=1995&anteilAn=alle'],
  ['ausschreibungen', 'technologie=SOLAR_FREIFLAECHE'],
])('%s takes %s', (page, query) => {
  expect(choiceFault({ page, query })).toBeNull();
});

test('a fault says which choice it is, and what it may be', () => {
  expect(choiceFault({ page: 'vergleich', query: 'von=2020-02-30' })).toBe(
    'has von, which must be a calendar day YYYY-MM-DD from 1850 to 2199',
  );
  expect(choiceFault({ page: 'karte', query: 'region=plz:80' })).toMatch(/^has region, which must be a state/);
});
