import { expect, it } from 'vitest';
import { withSources } from '../../../sql/query/sources.ts';

const FORMER = new Map([
  ['units', 'SELECT * FROM units_then'],
  ['places', 'SELECT 1'],
]);

const sourced = (text: string): string => withSources(text, (table) => FORMER.get(table) ?? null);

it('puts other sources in the place of tables, under the name that they have', () => {
  expect(sourced('SELECT units.kw FROM units JOIN places AS p USING (place) JOIN other ON true')).toBe(
    'SELECT units.kw FROM (SELECT * FROM units_then) AS units JOIN (SELECT 1) AS p USING (place) JOIN other ON true',
  );
  expect(sourced('SELECT 1\nFROM\n  units\n  AS u')).toBe('SELECT 1\nFROM (SELECT * FROM units_then)\n  AS u');
});

it('leaves what is quoted, and comments', () => {
  for (const text of [
    `SELECT 'it''s FROM units' AS said`,
    'SELECT "FROM units", units.kw, 1 AS units',
    'SELECT 1 -- all units of JOIN places\nFROM other',
    'SELECT 1 FROM units_by_place',
  ])
    expect(sourced(text)).toBe(text);
});

it('refuses a statement that names such a table otherwise', () => {
  for (const text of ['SELECT 1 FROM other, units', 'SELECT 1 from places', 'TABLE units'])
    expect(() => sourced(text)).toThrow('stands neither after FROM nor after JOIN');
});
