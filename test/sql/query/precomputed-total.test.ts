import { expect, test } from 'vitest';
import { UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import { duckdbProjections, duckdbUnpackedProjections } from '../../../sql/query/duckdb.ts';
import { precomputedTotal } from '../../../sql/query/precomputed-total.ts';

/** Chooses the totals that the build has counted; test/api/units and test/api/aggregations prove their values. */

const total = (asked: Readonly<Record<string, Condition['value']>>) =>
  precomputedTotal(
    Object.entries(asked).map(([name, value]) => ({ ...UNIT_FILTERS.get(name)!, value })),
    duckdbProjections,
  );

test('one filter with a value help, for some carriers', () => {
  expect(total({ spannungsebene: ['Niederspannung', 'Mittelspannung'], einheitTyp: ['solar'] })).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST(coalesce(sum(anzahl), 0) AS DOUBLE) AS total
    FROM referenzwerte
    WHERE filter = $p0
      AND wert IN ($p1, $p2)
      AND einheitTyp IN ($p3)",
      "values": {
        "p0": "spannungsebene",
        "p1": "Niederspannung",
        "p2": "Mittelspannung",
        "p3": "solar",
      },
    }
  `);
  expect(total({ plz: '84' })?.text).toContain('wert >= $p1 AND wert < $p2');
  expect(total({ einheitTyp: ['wind'] })?.values).toEqual({ p0: 'einheitTyp', p1: 'wind' });
});

test('a flag that the projections keep as a bit', () => {
  expect(total({ hatKoordinaten: true })?.values).toEqual({ p0: 'hatKoordinaten', p1: 'true' });
  expect(total({ mitKwk: false, einheitTyp: ['biomass'] })?.values).toEqual({
    p0: 'mitKwk',
    p1: 'false',
    p2: 'biomass',
  });
  const unpacked = precomputedTotal([{ ...UNIT_FILTERS.get('mitKwk')!, value: true }], duckdbUnpackedProjections);
  expect(unpacked).toBeNull();
});

test.each([
  [{}],
  [{ spannungsebene: ['Niederspannung'], bundesland: ['Bayern'] }],
  [{ leistungMinKw: 100 }],
  [{ einheitTyp: ['solar'], leistungMinKw: 100 }],
  [{ signals: ['grossspeicher'] }],
  [{ landkreis: 'Cham' }],
  [{ gebotstermin: ['2023050110'] }],
  [{ betreiberMastrNummer: ['ABR900000000001'] }],
])('%j is counted by the request', (asked) => {
  expect(total(asked)).toBeNull();
});
