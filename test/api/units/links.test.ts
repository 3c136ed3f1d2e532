import { expect, test } from 'vitest';
import type { Caller } from '../../../api/access/caller.ts';
import { unitFrom } from '../../../api/units/unit.ts';
import { readSettings } from '../../../runtime/settings.ts';

/** Links of a unit lead into an application only where APP_URL names one. */

const row = { mastrNummer: 'SEE900000000001', latitude: 53.5, longitude: 7.5 };

const linksOf = (changes: object, APP_URL?: string) =>
  unitFrom(
    { ...row, ...changes },
    [],
    {} as Caller,
    readSettings({ BASE_URL: 'https://api.example', ...(APP_URL === undefined ? {} : { APP_URL }) }),
  ).links;

test('without an application there is the unit itself', () => {
  expect(linksOf({})).toEqual({ self: 'https://api.example/v1/units/SEE900000000001' });
});

test('with one there are the unit and its place on the map', () => {
  expect(linksOf({}, 'https://app.example')).toEqual({
    self: 'https://api.example/v1/units/SEE900000000001',
    app: 'https://app.example/units/SEE900000000001',
    map: 'https://app.example/map?unit=SEE900000000001',
  });
});

test('a unit without coordinates is not on the map', () => {
  expect(linksOf({ latitude: null, longitude: null }, 'https://app.example')).toEqual({
    self: 'https://api.example/v1/units/SEE900000000001',
    app: 'https://app.example/units/SEE900000000001',
  });
});
