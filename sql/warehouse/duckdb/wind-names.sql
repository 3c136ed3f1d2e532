-- Manufacturers and types of wind turbines as they are written, and their normal forms. The rules are data:
-- sql/catalogue/wind-manufacturers.csv (one spelling per row) and wind-types.csv (patterns for the whole text, of which the
-- first match applies). Names without a rule stay unchanged; staging has normalised their white space.

CREATE TEMP TABLE windname AS
WITH
manufacturer_rules AS (
  SELECT lower(schreibweise) AS schreibweise, hersteller
  FROM read_csv({{manufacturers}}, header = true, delim = ',', quote = '"', all_varchar = true)
),
type_rules AS (
  SELECT row_number() OVER () AS priority, hersteller, '(?i)^(?:' || muster || ')$' AS muster, typ
  FROM read_csv({{types}}, header = true, delim = ',', quote = '"', all_varchar = true)
),
-- Every pair that occurs: a few thousand.
spellings AS (
  SELECT Hersteller AS herstellerRegister, Typenbezeichnung AS typRegister, count(*) AS anzahl,
    min(EinheitMastrNummer) AS beispiel
  FROM staged_einheit
  WHERE _art = 'EinheitenWind' AND (Hersteller IS NOT NULL OR Typenbezeichnung IS NOT NULL)
  GROUP BY ALL
),
hersteller AS (
  SELECT spellings.*, manufacturer_rules.hersteller AS rule,
    coalesce(manufacturer_rules.hersteller, herstellerRegister) AS hersteller
  FROM spellings
  LEFT JOIN manufacturer_rules ON manufacturer_rules.schreibweise = lower(herstellerRegister)
),
typ AS (
  SELECT herstellerRegister, typRegister,
    arg_min(regexp_replace(typRegister, type_rules.muster, type_rules.typ), priority) AS typ
  FROM hersteller
  JOIN type_rules
    ON coalesce(type_rules.hersteller, hersteller.hersteller, '') = coalesce(hersteller.hersteller, '')
    AND regexp_matches(typRegister, type_rules.muster)
  GROUP BY ALL
)
SELECT
  hersteller.herstellerRegister, hersteller.typRegister, hersteller.hersteller,
  coalesce(typ.typ, hersteller.typRegister) AS typ,
  hersteller.herstellerRegister IS NOT NULL AND hersteller.rule IS NULL AS without_rule,
  hersteller.anzahl, hersteller.beispiel
FROM hersteller
LEFT JOIN typ
  ON typ.herstellerRegister IS NOT DISTINCT FROM hersteller.herstellerRegister
  AND typ.typRegister = hersteller.typRegister;

INSERT INTO befunde (art, befund, feld, roh, beispiel, anzahl)
SELECT 'EinheitenWind', 'hersteller_ohne_regel', 'Hersteller', herstellerRegister, mastr(min(beispiel)), sum(anzahl)
FROM windname
WHERE without_rule
GROUP BY herstellerRegister;
