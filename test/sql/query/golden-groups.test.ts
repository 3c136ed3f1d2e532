import { expect, test } from 'vitest';
import { UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import { DIMENSIONS } from '../../../sql/query/dimensions.ts';
import { duckdbProjections } from '../../../sql/query/duckdb.ts';
import { groupStatement } from '../../../sql/query/groups.ts';
import { REFERENCE_SETS } from '../../../sql/query/reference-sets.ts';
import { referenceValuesStatement } from '../../../sql/query/reference-values.ts';

/** Statements that count, to be read by people: every value is bound. */

const by = (name: string) => DIMENSIONS.find((dimension) => dimension.name === name)!;

const state = { ...UNIT_FILTERS.get('bundesland')!, value: ['Bayern'] };

const question = { dimension: by('plz'), conditions: [], ids: ['grossspeicher'], limit: 1001, today: '2026-03-15' };

test('without a filter: the counts of the build', () => {
  expect(groupStatement(question, duckdbProjections)).toMatchInlineSnapshot(`
    {
      "text": "WITH unit_groups AS (
      SELECT schluessel, sum(anzahl) AS anzahl, sum(kw) AS kw, sum(mitLeistung) AS mitLeistung, sum(kwh) AS kwh
      FROM aggregationen
      WHERE dimension = $p0
      GROUP BY schluessel
    ),
    totals AS (
      SELECT coalesce(sum(anzahl), 0) AS anzahl, coalesce(sum(kw), 0) AS kw, coalesce(sum(kwh), 0) AS kwh FROM aggregationen WHERE dimension = 'alle'
    )
    SELECT
      CAST(unit_groups.schluessel AS VARCHAR) AS "key",
      CAST(unit_groups.anzahl AS DOUBLE) AS "count",
      CAST(unit_groups.kw AS DOUBLE) AS kw,
      CAST(unit_groups.mitLeistung AS DOUBLE) AS known,
      CAST(unit_groups.kwh AS DOUBLE) AS kwh,
      CAST(totals.anzahl AS DOUBLE) AS "totalCount",
      CAST(totals.kw AS DOUBLE) AS "totalKw",
      CAST(totals.kwh AS DOUBLE) AS "totalKwh"
    FROM totals LEFT JOIN unit_groups ON true
    ORDER BY unit_groups.anzahl DESC NULLS LAST, "key" NULLS LAST
    LIMIT $p1",
      "values": {
        "p0": "plz",
        "p1": 1001,
      },
    }
  `);
});

test('with a filter: one pass over the units, the totals from its groups', () => {
  expect(groupStatement({ ...question, conditions: [state] }, duckdbProjections)).toMatchInlineSnapshot(`
    {
      "text": "WITH unit_groups AS (
    SELECT units."plz" AS schluessel, count(*) AS anzahl,
      coalesce(sum(units.bruttoleistungKw), 0) AS kw, count(units.bruttoleistungKw) AS mitLeistung,
      coalesce(sum(units.speicherkapazitaetAnteilKwh), 0) AS kwh
    FROM units_by_place AS units
    WHERE units."bundesland" IN (TRY(cast_to_type($p0, units."bundesland")))
    GROUP BY ALL
    )
    SELECT
      CAST(unit_groups.schluessel AS VARCHAR) AS "key",
      CAST(unit_groups.anzahl AS DOUBLE) AS "count",
      CAST(unit_groups.kw AS DOUBLE) AS kw,
      CAST(unit_groups.mitLeistung AS DOUBLE) AS known,
      CAST(unit_groups.kwh AS DOUBLE) AS kwh,
      CAST(sum(unit_groups.anzahl) OVER () AS DOUBLE) AS "totalCount",
      CAST(sum(unit_groups.kw) OVER () AS DOUBLE) AS "totalKw",
      CAST(sum(unit_groups.kwh) OVER () AS DOUBLE) AS "totalKwh"
    FROM unit_groups
    ORDER BY unit_groups.anzahl DESC NULLS LAST, "key" NULLS LAST
    LIMIT $p1",
      "values": {
        "p0": "Bayern",
        "p1": 1001,
      },
    }
  `);
});

test('by signals: a unit counts in each, and once in the totals', () => {
  const statement = groupStatement({ ...question, dimension: by('signals'), conditions: [state] }, duckdbProjections);
  // The table of all signals is long, and grows.
  const text = statement.text.replace(/VALUES (\(.*?\)), .*\)\)/, 'VALUES $1, …)');
  expect({ ...statement, text }).toMatchInlineSnapshot(`
    {
      "text": "WITH counted AS MATERIALIZED (
    SELECT units."signals" AS schluessel, count(*) AS anzahl,
      coalesce(sum(units.bruttoleistungKw), 0) AS kw, count(units.bruttoleistungKw) AS mitLeistung,
      coalesce(sum(units.speicherkapazitaetAnteilKwh), 0) AS kwh
    FROM units_by_place AS units
    WHERE units."bundesland" IN (TRY(cast_to_type($p0, units."bundesland")))
    GROUP BY ALL
    ),
    unit_groups AS (
      SELECT * FROM (SELECT one.id AS schluessel,
      sum(anzahl) AS anzahl, sum(kw) AS kw, sum(mitLeistung) AS mitLeistung, sum(kwh) AS kwh
    FROM counted AS masks CROSS JOIN (VALUES (1, 'neu_registriert'), …) AS one (bit, id)
    WHERE (masks.schluessel & one.bit) <> 0
    GROUP BY one.id) AS bit_groups WHERE list_contains(CAST($p1 AS VARCHAR[]), schluessel)
    ),
    totals AS (
      SELECT coalesce(sum(anzahl), 0) AS anzahl, coalesce(sum(kw), 0) AS kw, coalesce(sum(kwh), 0) AS kwh FROM counted
    )
    SELECT
      CAST(unit_groups.schluessel AS VARCHAR) AS "key",
      CAST(unit_groups.anzahl AS DOUBLE) AS "count",
      CAST(unit_groups.kw AS DOUBLE) AS kw,
      CAST(unit_groups.mitLeistung AS DOUBLE) AS known,
      CAST(unit_groups.kwh AS DOUBLE) AS kwh,
      CAST(totals.anzahl AS DOUBLE) AS "totalCount",
      CAST(totals.kw AS DOUBLE) AS "totalKw",
      CAST(totals.kwh AS DOUBLE) AS "totalKwh"
    FROM totals LEFT JOIN unit_groups ON true
    ORDER BY unit_groups.anzahl DESC NULLS LAST, "key" NULLS LAST
    LIMIT $p2",
      "values": {
        "p0": "Bayern",
        "p1": [
          "grossspeicher",
        ],
        "p2": 1001,
      },
    }
  `);
});

test('a search among reference values', () => {
  const set = REFERENCE_SETS.get('gemeinde')!;
  const input = { set, text: 'Neu', carriers: ['wind'], among: null, limit: 7 };
  expect(referenceValuesStatement(input, duckdbProjections)).toMatchInlineSnapshot(`
    {
      "text": "SELECT referenzwerte.wert AS "value", CAST(sum(anzahl) AS DOUBLE) AS "count", places.schluessel AS schluessel, places.name AS name, places.bundesland AS bundesland
    FROM referenzwerte
    JOIN (
      SELECT gebiet, wert, schluessel, name, bundesland, suchname, ort FROM gebiete WHERE ebene = 'gemeinde'
    ) AS places ON places.wert = referenzwerte.wert
    WHERE filter = $p0
      AND list_contains(CAST($p1 AS VARCHAR[]), einheitTyp)
      AND (contains(suchtext, $p2) OR contains(places.schluessel, $p3))
    GROUP BY referenzwerte.wert, suchtext, places.schluessel, places.name, places.bundesland
    ORDER BY coalesce(places.schluessel >= $p6 AND places.schluessel < $p7, false) DESC, (suchtext >= $p4 AND suchtext < $p5) DESC, "count" DESC, "value"
    LIMIT $p8",
      "values": {
        "p0": "gemeinde",
        "p1": [
          "wind",
        ],
        "p2": "neu",
        "p3": "neu",
        "p4": "neu",
        "p5": "nev",
        "p6": "neu",
        "p7": "nev",
        "p8": 7,
      },
    }
  `);
});
