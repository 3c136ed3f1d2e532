import { expect, test } from 'vitest';
import { UNIT_FILTERS } from '../../../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../../../sql/query/conditions.ts';
import { duckdbProjections } from '../../../../sql/query/duckdb.ts';
import { precomputedTotal } from '../../../../sql/query/precomputed-total.ts';
import { type Filter, type FilterName, filtersOf } from '../filters.ts';
import { seeded } from '../random.ts';
import { SMALL_SAMPLE } from '../small-sample.ts';
import { countedTotalSql } from './page-sql.ts';

const conditionOf = ({ parameter, value }: Filter): Condition => {
  const { field, filter } = UNIT_FILTERS.get(parameter)!;
  return { field, filter, value: filter.compare === 'oneOf' ? [value] : value };
};

test.each<[readonly FilterName[]]>([
  [['einheitTyp']],
  [['bundesland']],
  [['bundesland', 'einheitTyp']],
  [['netzbetreiber', 'einheitTyp']],
  [['plzBereich']],
  [['plz', 'einheitTyp']],
  [['spannungsebene']],
  [['landkreis']],
  [['gemeinde', 'einheitTyp']],
  [['betreiberMastrNummer']],
  [['leistungMaxKw']],
  [['inbetriebnahmeVon']],
  [['bundesland', 'betriebsStatus']],
  [['bundesland', 'einheitTyp', 'inbetriebnahmeVon']],
])('PostgreSQL reads a counted total of %j where the service does', (names) => {
  const filters = filtersOf(names, SMALL_SAMPLE, seeded(1));
  const service = precomputedTotal(filters.map(conditionOf), duckdbProjections);
  expect(countedTotalSql(filters) === null).toBe(service === null);
});

test('without a filter the total is that of all units', () => {
  expect(countedTotalSql([])?.text).toContain("dimension = 'alle'");
});
