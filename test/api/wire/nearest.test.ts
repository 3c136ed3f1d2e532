import { expect, test } from 'vitest';
import { nearest } from '../../../api/wire/nearest.ts';

test.each([
  ['bundesLand', 'bundesland'],
  ['limitt', 'limit'],
  ['leistungMinKW', 'leistungMinKw'],
  ['inbetriebnameVon', 'inbetriebnahmeVon'],
  ['nonsense', null],
  ['', null],
])('%s: %s', (typed, meant) => {
  expect(nearest(typed, ['limit', 'bundesland', 'leistungMinKw', 'inbetriebnahmeVon'])).toBe(meant);
});
