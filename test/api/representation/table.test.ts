import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tableForm } from '../../../api/representation/table.ts';

const row = z.strictObject({
  name: z.string(),
  place: z.strictObject({ town: z.string().nullable(), state: z.string() }).nullable().optional(),
  signals: z.array(z.string()),
});
const list = z.strictObject({ data: z.array(row), meta: z.strictObject({ count: z.int() }) });

describe('a list of objects', () => {
  const form = tableForm(list, 'data');

  test('columns are the members of a row in the order of the schema, nested ones with a point', () => {
    expect(form.columnNames).toEqual(['name', 'place.town', 'place.state', 'signals']);
  });

  test('each row is a record; what is missing in it is undefined', () => {
    const data = [
      { signals: ['a'], place: { state: 'Hessen', town: null }, name: 'one' },
      { name: 'two', place: null, signals: [] },
    ];
    expect(form.fill({ data, meta: { count: 2 } })).toEqual({
      columns: ['name', 'place.town', 'place.state', 'signals'].map((name) => ({ name, isDay: false })),
      rows: [
        ['one', null, 'Hessen', ['a']],
        ['two', undefined, undefined, []],
      ],
      beside: { count: 2 },
    });
  });

  test('an answer may have some of the columns; the order stays, and an empty one has them too', () => {
    const { columns } = form.fill({ data: [], meta: { count: 0 } }, ['signals', 'place']);
    expect(columns.map(({ name }) => name)).toEqual(['place.town', 'place.state', 'signals']);
    expect(form.fill({ data: [], meta: {} }, ['plac', 'nam']).columns).toEqual([]);
  });
});

test('one object is a table of one row', () => {
  const form = tableForm(z.strictObject({ data: row, meta: z.strictObject({}) }), 'data');
  expect(form.fill({ data: { name: 'one', signals: [] }, meta: { tage: 90 } })).toMatchObject({
    rows: [['one', undefined, undefined, []]],
    beside: { tage: 90 },
  });
});

test('rows may lie deeper: what stands beside them on the way is not lost', () => {
  const answer = z.strictObject({
    data: z.strictObject({
      groupBy: z.string(),
      groups: z.array(z.strictObject({ key: z.string() })),
      totals: z.int(),
    }),
    meta: z.strictObject({ truncated: z.boolean() }),
  });
  const body = { data: { groupBy: 'plz', groups: [{ key: '01067' }], totals: 7 }, meta: { truncated: false } };
  expect(tableForm(answer, 'data.groups').fill(body)).toMatchObject({
    columns: [{ name: 'key' }],
    rows: [['01067']],
    beside: { truncated: false, groupBy: 'plz', totals: 7 },
  });
});

test('columns of calendar days are known by their schema', () => {
  const day = z.strictObject({ tag: z.iso.date().nullable().optional(), plz: z.string() });
  const { columns } = tableForm(z.strictObject({ data: z.array(day) }), 'data').fill({ data: [] });
  expect(columns).toEqual([
    { name: 'tag', isDay: true },
    { name: 'plz', isDay: false },
  ]);
});

test.each([
  ['data.rows', /The answer has no data.rows/],
  ['data.names', /data.names holds no objects/],
] as const)('%s is no table', (path, message) => {
  const answer = z.strictObject({ data: z.strictObject({ names: z.array(z.string()) }) });
  expect(() => tableForm(answer, path)).toThrow(message);
});
