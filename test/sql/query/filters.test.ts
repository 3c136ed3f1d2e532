import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Comparison } from '../../../sql/catalogue/field.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import { duckdbProjections } from '../../../sql/query/duckdb.ts';
import { type CountedPageRequest, pageStatement, totalStatement } from '../../../sql/query/units.ts';
import { unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { cases } from '../../support/cases.ts';
import { units } from './arbitraries.ts';
import { fieldNamed, type MemoryUnits, memoryUnits, type Unit } from './memory.ts';

/** The composed SQL finds exactly what a naive filter in plain code finds. */

let database: MemoryUnits;
beforeAll(async () => {
  database = await memoryUnits();
});
afterAll(() => database.close());

/** A condition for the query layer, and the same in plain code. */
interface FilterPair {
  readonly condition: Condition;
  readonly holds: (unit: Unit) => boolean;
}

/** NULL satisfies no condition. */
const pair = <Name extends keyof Unit>(
  name: Name,
  compare: Comparison,
  value: Condition['value'],
  holds: (actual: NonNullable<Unit[Name]>) => boolean,
): FilterPair => ({
  condition: { field: fieldNamed(name), filter: { name, compare }, value },
  holds: (unit) => {
    const actual = unit[name];
    return actual !== null && holds(actual as NonNullable<Unit[Name]>);
  },
});

const state = fc.constantFrom<string>('Bayern', 'Hessen', "O'Land", 'Nirgends', "'; DROP TABLE units");
const states = fc.uniqueArray(state, { minLength: 1 });
const power = fc.constantFrom(0, 0.001, 0.0011, 0.3, 9.9, 29.9999, 30, 123456789012.345);
const day = fc.constantFrom('1999-12-31', '2004-02-28', '2004-02-29', '2026-03-16');

const pairs: fc.Arbitrary<FilterPair> = fc.oneof(
  states.map((list) => pair('bundesland', 'oneOf', list, (actual) => list.includes(actual))),
  fc
    .constantFrom('1', '101', '85579', '%', '_')
    .map((text) => pair('plz', 'prefix', text, (actual) => actual.startsWith(text))),
  power.map((kw) => pair('bruttoleistungKw', 'min', kw, (actual) => actual >= kw)),
  power.map((kw) => pair('bruttoleistungKw', 'max', kw, (actual) => actual <= kw)),
  day.map((bound) => pair('inbetriebnahmedatum', 'from', bound, (actual) => actual >= bound)),
  day.map((bound) => pair('inbetriebnahmedatum', 'to', bound, (actual) => actual <= bound)),
);

test('any filters together find the same units, and the total is their number', async () => {
  await fc.assert(
    fc.asyncProperty(units, fc.array(pairs, { maxLength: 4 }), fc.nat(2000), async (register, chosen, total) => {
      await database.replace(register);
      const question: CountedPageRequest = {
        conditions: chosen.map(({ condition }) => condition),
        sort: [{ field: fieldNamed('mastrNummer'), direction: 'asc' }],
        after: null,
        delivered: 0,
        limit: 1000,
        total,
        today: '2026-03-15',
      };
      const expected = register.filter((unit) => chosen.every(({ holds }) => holds(unit)));
      const found = await database.query(pageStatement(question, duckdbProjections));
      const [count] = await database.query(totalStatement(question, duckdbProjections));
      expect(found.map(({ digits }) => unitNumberOf(Number(digits)))).toEqual(expected.map((unit) => unit.mastrNummer));
      expect(count?.total).toBe(expected.length);
    }),
    { numRuns: cases(50) },
  );
});
