import { expect, test } from 'vitest';
import { UNIT_FIELDS, UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import { duckdbProjections } from '../../../sql/query/duckdb.ts';
import { pageStatement, totalStatement } from '../../../sql/query/units.ts';

/** Composed statements, to be read by people: parameter names are deterministic, every value is bound. */

const field = (name: string) => UNIT_FIELDS.find((candidate) => candidate.name === name)!;

const filter = (name: string, value: Condition['value']): Condition => ({ ...UNIT_FILTERS.get(name)!, value });

const question = {
  conditions: [
    filter('mastrNummern', ['SEE900000000001', 'SEE900000000002']),
    filter('plz', '26'),
    filter('leistungMinKw', 30),
    filter('inbetriebnahmeBis', '2020-12-31'),
  ],
  sort: [
    { field: field('bruttoleistungKw'), direction: 'desc' },
    { field: field('mastrNummer'), direction: 'asc' },
  ],
  after: [3000, 'SEE900000000001'],
  delivered: 100,
  limit: 101,
  total: 250,
  today: '2026-03-15',
} as const;

test('a page in the middle of a list', () => {
  expect(pageStatement(question, duckdbProjections)).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST(units.mastrNummer & 1099511627775 AS DOUBLE) AS digits
    FROM units_by_place AS units
    WHERE (mastrNummer) IN (CAST($p0 AS BIGINT), CAST($p1 AS BIGINT))
      AND units."plz" >= TRY(cast_to_type($p2, units."plz")) AND units."plz" < TRY(cast_to_type($p3, units."plz"))
      AND units."bruttoleistungKw" >= CAST($p4 AS DECIMAL(18,3))
      AND units."inbetriebnahmedatum" <= CAST($p5 AS DATE)
      AND ((units."bruttoleistungKw" < CAST($p6 AS DECIMAL(18,3)) OR units."bruttoleistungKw" IS NULL) OR units."bruttoleistungKw" = CAST($p6 AS DECIMAL(18,3)) AND units."mastrNummer" > CAST($p7 AS BIGINT))
    ORDER BY units."bruttoleistungKw" DESC NULLS LAST, units."mastrNummer" ASC NULLS LAST
    LIMIT $p8",
      "values": {
        "p0": "13498504742578177",
        "p1": "13498504742578178",
        "p2": "26",
        "p3": "26􏿿􏿿",
        "p4": "30.000",
        "p5": "2020-12-31",
        "p6": "3000",
        "p7": "13498504742578177",
        "p8": 101,
      },
    }
  `);
});

test('its total', () => {
  expect(totalStatement(question, duckdbProjections)).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST((SELECT count(*)
    FROM units_by_place AS units
    WHERE (mastrNummer) IN (CAST($p0 AS BIGINT), CAST($p1 AS BIGINT))
      AND units."plz" >= TRY(cast_to_type($p2, units."plz")) AND units."plz" < TRY(cast_to_type($p3, units."plz"))
      AND units."bruttoleistungKw" >= CAST($p4 AS DECIMAL(18,3))
      AND units."inbetriebnahmedatum" <= CAST($p5 AS DATE)) AS DOUBLE) AS total",
      "values": {
        "p0": "13498504742578177",
        "p1": "13498504742578178",
        "p2": "26",
        "p3": "26􏿿􏿿",
        "p4": "30.000",
        "p5": "2020-12-31",
      },
    }
  `);
});

test('every other comparison', () => {
  const conditions = [
    filter('bundesland', ['Bayern', 'Hessen']),
    filter('hatKoordinaten', true),
    filter('hatGenehmigung', false),
    filter('signals', ['neu_registriert', 'grossspeicher']),
    filter('registrierungVon', '2020-01-01'),
    filter('ibnVerspaetungMinTage', 30),
    filter('nepGelistet', true),
    filter('mitKwk', false),
    filter('gebotstermin', ['1']),
  ];
  expect(totalStatement({ ...question, conditions }, duckdbProjections)).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST((SELECT count(*)
    FROM units_by_planned_commissioning AS units
    WHERE units."bundesland" IN (TRY(cast_to_type($p0, units."bundesland")), TRY(cast_to_type($p1, units."bundesland")))
      AND (units.merkmale & 1) <> 0
      AND NOT ((units.merkmale & 128) <> 0)
      AND (units."signals" & CAST($p2 AS UINTEGER)) <> 0
      AND (ersteRegistrierung) >= CAST($p3 AS DATE)
      AND (CASE WHEN inbetriebnahmedatum IS NOT NULL THEN inbetriebnahmedatum - letzterPlantag
          WHEN geplantesInbetriebnahmedatum < CAST($today AS DATE) THEN CAST($today AS DATE) - geplantesInbetriebnahmedatum END) >= CAST($p4 AS DOUBLE)
      AND (units.merkmale & 64) <> 0
      AND NOT ((units.merkmale & 8) <> 0)
      AND (gebotstermine) IS NOT NULL AND list_has_any(CAST(CAST((gebotstermine) AS VARCHAR) AS INTEGER[]), CAST($p5 AS INTEGER[]))) AS DOUBLE) AS total",
      "values": {
        "p0": "Bayern",
        "p1": "Hessen",
        "p2": "2049",
        "p3": "2020-01-01",
        "p4": 30,
        "p5": [
          "1",
        ],
        "today": "2026-03-15",
      },
    }
  `);
});

test('free text: every word in one of the texts and numbers', () => {
  const conditions = [filter('suche', ['sud', 'see93', 'pv2'])];
  expect(totalStatement({ ...question, conditions }, duckdbProjections)).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST(count(DISTINCT nummer) AS DOUBLE) AS total FROM (SELECT nummer FROM units WHERE nummer IN (SELECT nummer FROM (SELECT unnest(einheiten) AS nummer FROM suchtexte WHERE contains(gefaltet, $p0))
        WHERE nummer IN (SELECT unnest(einheiten) AS nummer FROM suchtexte WHERE contains(gefaltet, $p1)))
      AND (contains("mastrNummer", $p2)
        OR contains("speicherSolareinheitMastrNummer", $p2)
        OR nummer IN (SELECT unnest(einheiten) AS nummer FROM suchtexte WHERE contains(gefaltet, $p3))))",
      "values": {
        "p0": "sud",
        "p1": "pv2",
        "p2": "SEE93",
        "p3": "see93",
      },
    }
  `);
});

test('the first page of everything', () => {
  const first = {
    ...question,
    conditions: [],
    after: null,
  };
  expect(pageStatement(first, duckdbProjections).text).toMatchInlineSnapshot(`
    "SELECT CAST(units.mastrNummer & 1099511627775 AS DOUBLE) AS digits
    FROM units_by_capacity AS units
    ORDER BY units."bruttoleistungKw" DESC NULLS LAST, units."mastrNummer" ASC NULLS LAST
    LIMIT $p0"
  `);
});

test('after a null only nulls follow; today is bound where a field needs it', () => {
  const atNull = {
    ...question,
    conditions: [filter('ibnVerspaetungMinTage', 30)],
    after: [null, 'SEE900000000001'],
  };
  expect(pageStatement(atNull, duckdbProjections)).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST(units.mastrNummer & 1099511627775 AS DOUBLE) AS digits
    FROM units_by_planned_commissioning AS units
    WHERE (CASE WHEN inbetriebnahmedatum IS NOT NULL THEN inbetriebnahmedatum - letzterPlantag
          WHEN geplantesInbetriebnahmedatum < CAST($today AS DATE) THEN CAST($today AS DATE) - geplantesInbetriebnahmedatum END) >= CAST($p0 AS DOUBLE)
      AND units."bruttoleistungKw" IS NULL AND units."mastrNummer" > CAST($p1 AS BIGINT)
    ORDER BY units."bruttoleistungKw" DESC NULLS LAST, units."mastrNummer" ASC NULLS LAST
    LIMIT $p2",
      "values": {
        "p0": 30,
        "p1": "13498504742578177",
        "p2": 101,
        "today": "2026-03-15",
      },
    }
  `);
});
