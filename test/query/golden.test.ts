import { expect, test } from 'vitest';
import { READABLE_FIELDS } from '../../api/units/unit.ts';
import { UNIT_FIELDS, UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { duckdb } from '../../sql/query/duckdb.ts';
import { pageStatement, totalStatement } from '../../sql/query/units.ts';

/** Composed statements, to be read: parameter names are deterministic, every value is bound. */

const field = (name: string) => UNIT_FIELDS.find((candidate) => candidate.name === name)!;

const filter = (name: string, value: Condition['value']): Condition => ({ ...UNIT_FILTERS.get(name)!, value });

const question = {
  fields: [field('name'), field('inbetriebnahmedatum')],
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
  limit: 101,
  today: '2026-03-15',
} as const;

test('a page in the middle of a walk', () => {
  expect(pageStatement(question, duckdb)).toMatchInlineSnapshot(`
    {
      "text": "SELECT
      units."name" AS "name",
      CAST(units."inbetriebnahmedatum" AS VARCHAR) AS "inbetriebnahmedatum",
      CAST(units."bruttoleistungKw" AS DOUBLE) AS "bruttoleistungKw",
      units."mastrNummer" AS "mastrNummer"
    FROM units
    WHERE (mastrNummer) IN ($p0, $p1)
      AND starts_with(units."plz", $p2)
      AND units."bruttoleistungKw" >= CAST($p3 AS DOUBLE)
      AND units."inbetriebnahmedatum" <= CAST($p4 AS DATE)
      AND ((units."bruttoleistungKw" < CAST($p5 AS DECIMAL(18,3)) OR units."bruttoleistungKw" IS NULL) OR units."bruttoleistungKw" = CAST($p5 AS DECIMAL(18,3)) AND units."mastrNummer" > $p6)
    ORDER BY units."bruttoleistungKw" DESC NULLS LAST, units."mastrNummer" ASC NULLS LAST
    LIMIT $p7",
      "values": {
        "p0": "SEE900000000001",
        "p1": "SEE900000000002",
        "p2": "26",
        "p3": 30,
        "p4": "2020-12-31",
        "p5": "3000",
        "p6": "SEE900000000001",
        "p7": 101,
      },
    }
  `);
});

test('its total', () => {
  expect(totalStatement(question, duckdb)).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST(count(*) AS DOUBLE) AS total
    FROM units
    WHERE (mastrNummer) IN ($p0, $p1)
      AND starts_with(units."plz", $p2)
      AND units."bruttoleistungKw" >= CAST($p3 AS DOUBLE)
      AND units."inbetriebnahmedatum" <= CAST($p4 AS DATE)",
      "values": {
        "p0": "SEE900000000001",
        "p1": "SEE900000000002",
        "p2": "26",
        "p3": 30,
        "p4": "2020-12-31",
      },
    }
  `);
});

test('every other way to compare', () => {
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
  expect(totalStatement({ ...question, conditions }, duckdb)).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST(count(*) AS DOUBLE) AS total
    FROM units
    WHERE units."bundesland" IN ($p0, $p1)
      AND (latitude) IS NOT NULL
      AND units."genehmigungMastrNummer" IS NULL
      AND (units."signals" & CAST($p2 AS UINTEGER)) <> 0
      AND (ersteRegistrierung) >= CAST($p3 AS DATE)
      AND (CASE WHEN inbetriebnahmedatum IS NOT NULL THEN inbetriebnahmedatum - letzterPlantag
          WHEN geplantesInbetriebnahmedatum < CAST($today AS DATE) THEN CAST($today AS DATE) - geplantesInbetriebnahmedatum END) >= CAST($p4 AS DOUBLE)
      AND units."nepGelistet"
      AND units."mitKwk" IS DISTINCT FROM true
      AND false",
      "values": {
        "p0": "Bayern",
        "p1": "Hessen",
        "p2": 2049,
        "p3": "2020-01-01",
        "p4": 30,
        "today": "2026-03-15",
      },
    }
  `);
});

test('free text: every word in one of the texts and numbers', () => {
  const conditions = [filter('suche', ['Süd', 'heide'])];
  expect(totalStatement({ ...question, conditions }, duckdb)).toMatchInlineSnapshot(`
    {
      "text": "SELECT CAST(count(*) AS DOUBLE) AS total
    FROM units
    WHERE contains(replace(lower(strip_accents(concat_ws(chr(10), units."mastrNummer", units."name", units."plz", units."ort", units."landkreis", units."gemeinde", units."betreiberName", units."betreiberMastrNummer", units."eegMastrNummer", units."kwkMastrNummer", units."netzbetreiberMastrNummer", units."netzanschlusspunktMastrNummer", units."lokationMastrNummer", units."genehmigungMastrNummer", units."windpark", units."speicherMastrNummer", units."speicherSolareinheitMastrNummer"))), 'ß', 'ss'), replace(lower(strip_accents($p0)), 'ß', 'ss'))
      AND contains(replace(lower(strip_accents(concat_ws(chr(10), units."mastrNummer", units."name", units."plz", units."ort", units."landkreis", units."gemeinde", units."betreiberName", units."betreiberMastrNummer", units."eegMastrNummer", units."kwkMastrNummer", units."netzbetreiberMastrNummer", units."netzanschlusspunktMastrNummer", units."lokationMastrNummer", units."genehmigungMastrNummer", units."windpark", units."speicherMastrNummer", units."speicherSolareinheitMastrNummer"))), 'ß', 'ss'), replace(lower(strip_accents($p1)), 'ß', 'ss'))",
      "values": {
        "p0": "Süd",
        "p1": "heide",
      },
    }
  `);
});

test('the first page of everything', () => {
  const first = {
    ...question,
    conditions: [],
    after: null,
    fields: READABLE_FIELDS.filter(({ block }) => block === null),
  };
  expect(pageStatement(first, duckdb).text).toMatchInlineSnapshot(`
    "SELECT
      units."mastrNummer" AS "mastrNummer",
      units."einheitTyp" AS "einheitTyp",
      units."name" AS "name",
      units."betriebsStatus" AS "betriebsStatus",
      CAST(units."bruttoleistungKw" AS DOUBLE) AS "bruttoleistungKw",
      CAST(units."inbetriebnahmedatum" AS VARCHAR) AS "inbetriebnahmedatum",
      CAST(units."geplantesInbetriebnahmedatum" AS VARCHAR) AS "geplantesInbetriebnahmedatum",
      units."bundesland" AS "bundesland",
      units."plz" AS "plz",
      units."ort" AS "ort",
      CAST(units."latitude" AS DOUBLE) AS "latitude",
      CAST(units."longitude" AS DOUBLE) AS "longitude",
      CAST(units."signals" AS DOUBLE) AS "signals"
    FROM units
    ORDER BY units."bruttoleistungKw" DESC NULLS LAST, units."mastrNummer" ASC NULLS LAST
    LIMIT $p0"
  `);
});

test('after a null only nulls follow; today is bound where a field needs it', () => {
  const atNull = {
    ...question,
    fields: [field('ibnVerspaetungTage')],
    conditions: [],
    after: [null, 'SEE900000000001'],
  };
  expect(pageStatement(atNull, duckdb)).toMatchInlineSnapshot(`
    {
      "text": "SELECT
      CAST((CASE WHEN inbetriebnahmedatum IS NOT NULL THEN inbetriebnahmedatum - letzterPlantag
          WHEN geplantesInbetriebnahmedatum < CAST($today AS DATE) THEN CAST($today AS DATE) - geplantesInbetriebnahmedatum END) AS INTEGER) AS "ibnVerspaetungTage",
      CAST(units."bruttoleistungKw" AS DOUBLE) AS "bruttoleistungKw",
      units."mastrNummer" AS "mastrNummer"
    FROM units
    WHERE units."bruttoleistungKw" IS NULL AND units."mastrNummer" > $p0
    ORDER BY units."bruttoleistungKw" DESC NULLS LAST, units."mastrNummer" ASC NULLS LAST
    LIMIT $p1",
      "values": {
        "p0": "SEE900000000001",
        "p1": 101,
        "today": "2026-03-15",
      },
    }
  `);
});
