import { expect, test } from 'vitest';
import { unitFrom } from '../../../api/units/unit.ts';
import { readSettings } from '../../../runtime/settings.ts';

/** Links of a unit lead to the API and to the pages at APP_URL. */

const row = { mastrNummer: 'SEE900000000001', latitude: 53.5, longitude: 7.5 };

const linksOf = (changes: object, settings: Record<string, string> = {}) =>
  unitFrom({ ...row, ...changes }, [], new Set(), readSettings({ BASE_URL: 'https://api.example/energy', ...settings }))
    .links;

test('to the unit itself, its page and its place on the map, which this service has', () => {
  expect(linksOf({})).toEqual({
    self: 'https://api.example/energy/v1/units/SEE900000000001',
    app: 'https://api.example/energy/app/einheiten/SEE900000000001',
    map: 'https://api.example/energy/app/karte?einheit=SEE900000000001',
  });
});

test('to the pages of an application that the operator names', () => {
  expect(linksOf({}, { APP_URL: 'https://app.example/' })).toEqual({
    self: 'https://api.example/energy/v1/units/SEE900000000001',
    app: 'https://app.example/einheiten/SEE900000000001',
    map: 'https://app.example/karte?einheit=SEE900000000001',
  });
});

test('a unit without coordinates is not on the map', () => {
  expect(linksOf({ latitude: null, longitude: null })).toEqual({
    self: 'https://api.example/energy/v1/units/SEE900000000001',
    app: 'https://api.example/energy/app/einheiten/SEE900000000001',
  });
});
