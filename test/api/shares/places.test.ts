import { expect, test, vi } from 'vitest';
import type { Call } from '../../../api/operation/operation.ts';
import { nameOf } from '../../../api/shares/places.ts';
import { sayIn } from '../../../api/shares/words.ts';

const place = (schluessel: string, name: string, value = name, bundesland = 'Sachsen') => ({
  ...{ schluessel, name, value, bundesland },
});

const REGISTER: Readonly<Record<string, readonly ReturnType<typeof place>[]>> = {
  landkreis: [
    ...[place('14713', 'Leipzig', '14713'), place('14729', 'Leipzig', '14729')],
    ...[place('08118', 'Ludwigsburg', 'Ludwigsburg', 'Baden-Württemberg'), place('14612', 'Dresden')],
    place('05124', 'Wuppertal', 'Wuppertal', 'Nordrhein-Westfalen'),
  ],
  gemeinde: [
    ...[place('14713000', 'Leipzig'), place('14612000', 'Dresden'), place('08118048', 'Ludwigsburg')],
    ...[place('14729001', 'Neudorf', '14729001'), place('05124000', 'Wuppertal')],
  ],
};

vi.mock('../../../api/shares/ask.ts', () => ({
  ask: async (_: unknown, { q = '' }: { q?: string }, __: unknown, { set }: { set: string }) =>
    (REGISTER[set] ?? []).filter(({ schluessel, name }) => schluessel.includes(q) || name.includes(q)),
}));

test.each([
  ['landkreis', '14713', 'Leipzig (kreisfreie Stadt)', 'Leipzig (independent town)'],
  ['landkreis', '14729', 'Leipzig (Landkreis)', 'Leipzig (district)'],
  ['landkreis', '08118', 'Ludwigsburg (Landkreis)', 'Ludwigsburg (district)'],
  ['gemeinde', '08118048', 'Ludwigsburg (Gemeinde)', 'Ludwigsburg (municipality)'],
  ['landkreis', '14612', 'Dresden', 'Dresden'],
  ['gemeinde', '05124000', 'Wuppertal', 'Wuppertal'],
  ['gemeinde', '14729001', 'Neudorf (Leipzig)', 'Neudorf (Leipzig)'],
  ['plz', '04', 'PLZ 04…', 'postal code 04…'],
  ['bundesland', 'Bayern', 'Bayern', 'Bayern'],
] as const)('%s %s is called %s', async (level, value, german, english) => {
  const call = {} as Call;
  expect(await nameOf({ level, value }, call, sayIn('de'))).toBe(german);
  expect(await nameOf({ level, value }, call, sayIn('en'))).toBe(english);
});
