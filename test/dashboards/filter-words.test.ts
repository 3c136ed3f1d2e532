import { expect, test } from 'vitest';
import { COUNTED, countedAnew } from '../../dashboards/web/units/facets.ts';
import { MEANT_PARAMETERS, meantBy } from '../../dashboards/web/units/filter-words.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { DIMENSION_NAMES } from '../../sql/query/dimensions.ts';

/** Filters by the words of people, and the numbers beside their values. */

const FILTERS: readonly string[] = [...UNIT_FILTERS.keys()];

test('words lead to filters that there are', () => {
  expect(MEANT_PARAMETERS.filter((name) => !FILTERS.includes(name))).toEqual([]);
});

test.each([
  ['Balkon', 'solarLage'],
  ['balkonkraftwerk', 'solarLage'],
  ['PV', 'einheitTyp'],
  ['PV', 'solarLage'],
  ['Alter', 'inbetriebnahmeVon'],
  ['20 Jahre', 'eegFoerderendeVon'],
  ['Zubau', 'inbetriebnahmeVon'],
  ['Netzanschluss', 'spannungsebene'],
  ['zubau seit', 'inbetriebnahmeVon'],
  ['balcony', 'solarLage'],
  ['20 years', 'eegFoerderendeVon'],
  ['Grid connection', 'spannungsebene'],
])('%s finds %s', (text, parameter) => {
  expect([...meantBy(text)]).toContain(parameter);
});

test.each(['', ' ', 'x', 'Rosenkohl'])('%j means none', (text) => {
  expect(meantBy(text)).toEqual(new Set());
});

test('values are counted by properties that the interface counts by', () => {
  expect(COUNTED.filter((name) => !DIMENSION_NAMES.some((known) => known === name))).toEqual([]);
});

test('a value that no unit has any more has none; without an answer nothing is said', () => {
  const values = [
    { value: 'wind', name: null, count: 5 },
    { value: 'solar', name: 'Solar', count: 7 },
  ];
  expect(countedAnew(values, [{ key: 'wind', count: 2 }])).toEqual([
    { value: 'wind', name: null, count: 2 },
    { value: 'solar', name: 'Solar', count: 0 },
  ]);
  expect(countedAnew(values, null).map(({ count }) => count)).toEqual([null, null]);
});
