import { expect, test } from 'vitest';
import { UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import { clickhouse, clickhouseProjections } from '../../../sql/query/clickhouse.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import { deltaTotalStatement } from '../../../sql/query/delta.ts';
import { DIMENSIONS } from '../../../sql/query/dimensions.ts';
import { groupStatement } from '../../../sql/query/groups.ts';
import { REFERENCE_SETS } from '../../../sql/query/reference-sets.ts';
import { referenceValuesStatement } from '../../../sql/query/reference-values.ts';
import { withQueryParams } from '../../../sql/query/statement.ts';
import { pageStatement, searchPageStatement, totalStatement } from '../../../sql/query/units.ts';
import { fieldNamed } from './memory.ts';

/** Statements for ClickHouse, to be read by people: every value is a parameter with its type. */

const filter = (name: string, value: Condition['value']): Condition => ({ ...UNIT_FILTERS.get(name)!, value });

const question = {
  conditions: [
    filter('mastrNummern', ['SEE900000000001']),
    filter('plz', '26'),
    filter('inbetriebnahmeBis', '1894-12-31'),
  ],
  sort: [
    { field: fieldNamed('bruttoleistungKw'), direction: 'desc' },
    { field: fieldNamed('mastrNummer'), direction: 'asc' },
  ],
  after: [3000, 'SEE900000000001'],
  delivered: 100,
  limit: 101,
  total: 250,
  today: '2026-03-15',
} as const;

test('a page in the middle of a list', () => {
  expect(withQueryParams(pageStatement(question, clickhouseProjections))).toMatchInlineSnapshot(`
    {
      "query": "SELECT CAST(bitAnd(units.mastrNummer, 1099511627775) AS DOUBLE) AS digits
    FROM units_by_place AS units
    WHERE (mastrNummer) IN (CAST({p0:String} AS Int64))
      AND startsWith(units."plz", {p1:String})
      AND units."inbetriebnahmedatum" <= (toModifiedJulianDay({p2:String}) - 40587)
      AND ((units."bruttoleistungKw" < CAST({p3:String} AS Decimal(18, 3)) OR units."bruttoleistungKw" IS NULL) OR units."bruttoleistungKw" = CAST({p3:String} AS Decimal(18, 3)) AND units."mastrNummer" > CAST({p4:String} AS Int64))
    ORDER BY units."bruttoleistungKw" DESC NULLS LAST, units."mastrNummer" ASC NULLS LAST
    LIMIT {p5:Int64}",
      "query_params": {
        "p0": "13498504742578177",
        "p1": "26",
        "p2": "1894-12-31",
        "p3": "3000",
        "p4": "13498504742578177",
        "p5": 101,
      },
    }
  `);
});

test('every other comparison', () => {
  const conditions = [
    filter('bundesland', ['Bayern']),
    filter('hatKoordinaten', true),
    filter('signals', ['neu_registriert', 'grossspeicher']),
    filter('leistungMinKw', 30.00001),
    filter('ibnVerspaetungMinTage', 30),
    filter('nepGelistet', true),
    filter('mitKwk', false),
  ];
  expect(withQueryParams(totalStatement({ ...question, conditions }, clickhouseProjections))).toMatchInlineSnapshot(`
    {
      "query": "SELECT CAST((SELECT count(*)
    FROM units_by_capacity AS units
    WHERE units."bundesland" IN ({p0:String})
      AND (latitude) IS NOT NULL
      AND bitAnd(units."signals", CAST({p1:String} AS UInt32)) <> 0
      AND units."bruttoleistungKw" >= CAST({p2:String} AS Decimal(18, 3))
      AND (CASE WHEN inbetriebnahmedatum IS NOT NULL THEN inbetriebnahmedatum - letzterPlantag
          WHEN geplantesInbetriebnahmedatum < (toModifiedJulianDay({today:String}) - 40587) THEN (toModifiedJulianDay({today:String}) - 40587) - geplantesInbetriebnahmedatum END) >= CAST({p3:Int64} AS DOUBLE)
      AND units."nepGelistet"
      AND units."mitKwk" IS DISTINCT FROM true) AS DOUBLE) AS total",
      "query_params": {
        "p0": "Bayern",
        "p1": "2049",
        "p2": "30.001",
        "p3": 30,
        "today": "2026-03-15",
      },
    }
  `);
});

test('free text alone', () => {
  const words = [{ text: 'süd%', own: ['SEE900000000001'] }];
  expect(
    withQueryParams(searchPageStatement(words, { after: null, limit: 3 }, clickhouseProjections)!),
  ).toMatchInlineSnapshot(`
    {
      "query": "SELECT CAST(bitAnd(nummer, 1099511627775) AS DOUBLE) AS digits, total
    FROM (
      SELECT nummer, CAST(count(*) OVER () AS DOUBLE) AS total FROM (SELECT DISTINCT nummer FROM (SELECT nummer FROM (SELECT arrayJoin(einheiten) AS nummer FROM suchtexte WHERE position(gefaltet, {p0:String}) > 0
        UNION ALL SELECT nummer FROM units WHERE "mastrNummer" IN {p1:Array(String)}))) AS found
    ) AS counted
    ORDER BY nummer LIMIT {p2:Int64}",
      "query_params": {
        "p0": "süd%",
        "p1": [
          "SEE900000000001",
        ],
        "p2": 3,
      },
    }
  `);
});

test('precomputed and computed groups', () => {
  const dimension = DIMENSIONS.find(({ name }) => name === 'inbetriebnahmejahr')!;
  const input = { dimension, conditions: [], ids: [], limit: 10, today: '2026-03-15' };
  expect(withQueryParams(groupStatement(input, clickhouseProjections))).toMatchInlineSnapshot(`
    {
      "query": "WITH unit_groups AS (
      SELECT schluessel, sum(anzahl) AS anzahl, sum(kw) AS kw, sum(mitLeistung) AS mitLeistung, sum(kwh) AS kwh
      FROM aggregationen
      WHERE dimension = {p0:String}
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
    LIMIT {p1:Int64}",
      "query_params": {
        "p0": "inbetriebnahmejahr",
        "p1": 10,
      },
    }
  `);
  const narrowed = { ...input, conditions: [filter('bundesland', ['Bayern'])] };
  expect(withQueryParams(groupStatement(narrowed, clickhouseProjections)).query).toMatchInlineSnapshot(`
    "WITH unit_groups AS (
    SELECT toInt32(substring(fromModifiedJulianDay(units.inbetriebnahmedatum + 40587), 1, 4)) AS schluessel, count(*) AS anzahl,
      coalesce(sum(units.bruttoleistungKw), 0) AS kw, count(units.bruttoleistungKw) AS mitLeistung,
      coalesce(sum(units.speicherkapazitaetAnteilKwh), 0) AS kwh
    FROM units_by_place AS units
    WHERE units."bundesland" IN ({p0:String})
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
    LIMIT {p1:Int64}"
  `);
});

test('values of a filter', () => {
  const set = REFERENCE_SETS.get('gemeinde')!;
  const input = { set, text: 'Süd', carriers: ['wind'], among: null, limit: 20 };
  expect(withQueryParams(referenceValuesStatement(input, clickhouseProjections))).toMatchInlineSnapshot(`
    {
      "query": "SELECT referenzwerte.wert AS "value", CAST(sum(anzahl) AS DOUBLE) AS "count", places.schluessel AS schluessel, places.name AS name, places.bundesland AS bundesland
    FROM referenzwerte
    JOIN (
      SELECT gebiet, wert, schluessel, name, bundesland, suchname, ort FROM gebiete WHERE ebene = 'gemeinde'
    ) AS places ON places.wert = referenzwerte.wert
    WHERE filter = {p0:String}
      AND einheitTyp IN {p1:Array(String)}
      AND (position(suchtext, {p2:String}) > 0 OR position(places.schluessel, {p3:String}) > 0)
    GROUP BY referenzwerte.wert, suchtext, places.schluessel, places.name, places.bundesland
    ORDER BY coalesce(startsWith(places.schluessel, {p5:String}), false) DESC, (startsWith(suchtext, {p4:String})) DESC, "count" DESC, "value"
    LIMIT {p6:Int64}",
      "query_params": {
        "p0": "gemeinde",
        "p1": [
          "wind",
        ],
        "p2": "sud",
        "p3": "sud",
        "p4": "sud",
        "p5": "sud",
        "p6": 20,
      },
    }
  `);
});

test('a delta', () => {
  const { query, query_params } = withQueryParams(
    deltaTotalStatement(
      { conditions: [filter('bundesland', ['Bayern'])], today: '2026-03-15' },
      { since: 3, complete: true },
      clickhouse,
    ),
  );
  expect({ query, query_params }).toMatchInlineSnapshot(`
    {
      "query": "SELECT CAST(count(*) AS DOUBLE) AS total
    FROM (
      SELECT units.mastrNummer AS mastrNummer, units.inhaltSeit AS inhaltSeit, units.inhalt AS inhalt, false AS geloescht, false AS isFormer FROM units WHERE units.inhaltSeit > {p0:Int64} AND units."bundesland" IN ({p1:String})
      UNION ALL
      SELECT units.mastrNummer AS mastrNummer, units.inhaltSeit AS inhaltSeit, units.inhalt AS inhalt, true AS geloescht, true AS isFormer
      FROM (
        SELECT * FROM (
          SELECT units.mastrNummer AS mastrNummer, units.inhaltSeit AS inhaltSeit, units.inhalt AS inhalt, units.abgangSeit AS since FROM units_departed AS units WHERE units.abgangSeit > {p2:Int64} AND units."bundesland" IN ({p3:String}) AND units.mastrNummer NOT IN (SELECT mastrNummer FROM units WHERE units.inhaltSeit > {p0:Int64} AND units."bundesland" IN ({p1:String}))
          UNION ALL SELECT units.mastrNummer AS mastrNummer, units.inhaltSeit AS inhaltSeit, units.inhalt AS inhalt, units.ersetztSeit AS since FROM units_ersetzt AS units WHERE units.ersetztSeit > {p2:Int64} AND units."bundesland" IN ({p3:String}) AND units.mastrNummer NOT IN (SELECT mastrNummer FROM units WHERE units.inhaltSeit > {p0:Int64} AND units."bundesland" IN ({p1:String}))
        ) AS former_rows
        QUALIFY row_number() OVER (PARTITION BY mastrNummer ORDER BY since DESC, inhaltSeit DESC, inhalt) = 1
      ) AS units
    ) AS units",
      "query_params": {
        "p0": 3,
        "p1": "Bayern",
        "p2": 3,
        "p3": "Bayern",
      },
    }
  `);
});

test('days are numbers, nothing is NULL in the text, and a dollar sign in a text stays', () => {
  const values = { tag: { day: '1894-06-30' }, leer: null, liste: ["O'Hara"], ja: true, teil: 0.5 };
  expect(withQueryParams({ text: "SELECT $tag, $leer, '$tag', $liste, $ja, $teil", values })).toEqual({
    query: "SELECT {tag:Int32}, NULL, '$tag', {liste:Array(String)}, {ja:Bool}, {teil:Float64}",
    query_params: { tag: -27578, liste: ["O'Hara"], ja: true, teil: 0.5 },
  });
  expect(() => withQueryParams({ text: 'SELECT $a', values: {} })).toThrow('The statement has no value for $a');
});
