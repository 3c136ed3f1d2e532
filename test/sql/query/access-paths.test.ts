import { expect, test } from 'vitest';
import { fieldNamed, UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import { alternatives, projectionToCount, projectionToList, tableToCount } from '../../../sql/query/access-paths.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import { duckdbProjections } from '../../../sql/query/duckdb.ts';

/** The projection is read in which conditions or order leave least to read. */

const conditions = (selected: Readonly<Record<string, Condition['value']>>): Condition[] =>
  Object.entries(selected).map(([name, value]) => ({ ...UNIT_FILTERS.get(name)!, value }));

const by = (name: string) => [
  { field: fieldNamed(name), direction: 'desc' as const },
  { field: fieldNamed('mastrNummer'), direction: 'asc' as const },
];

test.each([
  [{}, 'units_by_number'],
  [{ einheitTyp: ['wind'] }, 'units_by_place'],
  [{ landkreis: 'Cham', leistungMinKw: 1000 }, 'units_by_place'],
  [{ einheitTyp: ['solar'], leistungMinKw: 1000 }, 'units_by_capacity'],
  [{ leistungMinKw: 0.6 }, 'units_by_capacity'],
  [{ geplanteInbetriebnahmeVon: '2027-01-01' }, 'units_by_planned_commissioning'],
  [{ inbetriebnahmeVon: '2020-01-01', bundesland: ['Bayern'] }, 'units_by_place'],
  [{ spannungsebene: ['Niederspannung (= 0,4 kV)'] }, 'units_by_number'],
] as const)('to count %j: %s', (selected, table) => {
  expect(projectionToCount(conditions(selected), duckdbProjections)).toBe(table);
});

test.each([
  [{ umkreis: '9.18,48.78,25' }, 'units_by_space'],
  [{ bbox: '9,48,11,50', einheitTyp: ['solar'], leistungMinKw: 10 }, 'units_by_space'],
  [{ umkreis: '9.18,48.78,200', gemeinde: 'Cham' }, 'units_by_place'],
  [{ umkreis: '9.18,48.78,25', regelzone: ['TransnetBW'] }, 'units_by_number'],
  [{ einheitTyp: ['wind'] }, 'units_by_place'],
] as const)('to count %j where parts of the map are told apart: %s', (selected, table) => {
  expect(tableToCount(conditions(selected), duckdbProjections)).toBe(table);
  expect(projectionToList(conditions(selected), by('bruttoleistungKw'), 500_000, 101, duckdbProjections)).not.toBe(
    table === 'units_by_space' ? 'units_by_capacity' : 'units_by_space',
  );
});

test('reads the projection in page order where many units match', () => {
  expect(
    projectionToList(conditions({ einheitTyp: ['solar'] }), by('bruttoleistungKw'), 6_000_000, 101, duckdbProjections),
  ).toBe('units_by_capacity');
  expect(projectionToList([], by('inbetriebnahmedatum'), 9_000_000, 10_001, duckdbProjections)).toBe(
    'units_by_commissioning',
  );
});

test('finds and sorts the units where few match', () => {
  expect(
    projectionToList(
      conditions({ landkreis: 'Cham', leistungMinKw: 1000 }),
      by('registrierungsdatum'),
      92,
      101,
      duckdbProjections,
    ),
  ).toBe('units_by_place');
});

test('follows the order where no condition selects, however few units match', () => {
  const inService = conditions({ betriebsStatus: ['In Betrieb'] });
  expect(projectionToList(inService, by('mastrNummer'), 3, 101, duckdbProjections)).toBe('units_by_number');
});

test('splits short lists of values of a sort column', () => {
  const selected = conditions({ einheitTyp: ['wind', 'solar'], bundesland: ['Bayern', 'Hessen'], leistungMinKw: 10 });
  const values = alternatives(selected, 'units_by_place').map((some) => some.map(({ value }) => value));
  expect(values).toEqual([
    [['wind'], ['Bayern'], 10],
    [['wind'], ['Hessen'], 10],
    [['solar'], ['Bayern'], 10],
    [['solar'], ['Hessen'], 10],
  ]);
  expect(alternatives(selected, 'units_by_capacity')).toEqual([selected]);
  const many = conditions({ bundesland: Array.from({ length: 17 }, (_, index) => `Land ${index}`) });
  expect(alternatives(many, 'units_by_place')).toEqual([many]);
});
