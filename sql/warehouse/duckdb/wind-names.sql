-- Manufacturers and types of wind turbines as they are written, and their normal forms. The rules are data:
-- sql/catalogue/wind-manufacturers.csv (one spelling per row) and wind-types.csv (patterns for the whole text, of which the
-- first match applies). wind-type-bounds.csv has rotors and powers of the types that many turbines have, for the rules of
-- plausibility. Names without a rule stay unchanged; staging has normalised their white space.

CREATE TABLE scratch.windname AS
WITH
manufacturer_rules AS (
  SELECT lower(schreibweise) AS schreibweise, hersteller
  FROM read_csv({{manufacturers}}, header = true, delim = ',', quote = '"', all_varchar = true)
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
typen AS (
  SELECT
    herstellerRegister, typRegister, hersteller,
    CASE
      {{typeRules}}
      ELSE typRegister
    END AS typ,
    herstellerRegister IS NOT NULL AND rule IS NULL AS without_rule,
    anzahl, beispiel
  FROM hersteller
)
SELECT typen.*, rotorAbM, rotorBisM, leistungAbKw, leistungBisKw
FROM typen
LEFT JOIN read_csv(
  {{typeBounds}}, header = true,
  columns = {
    'typ': 'VARCHAR', 'rotorAbM': 'DECIMAL(9, 3)', 'rotorBisM': 'DECIMAL(9, 3)',
    'leistungAbKw': 'DECIMAL(18, 3)', 'leistungBisKw': 'DECIMAL(18, 3)'
  }
) AS bounds ON bounds.typ = typen.typ;

INSERT INTO befunde (art, befund, feld, roh, beispiel, anzahl)
SELECT 'EinheitenWind', 'hersteller_ohne_regel', 'Hersteller', herstellerRegister, mastr(min(beispiel)), sum(anzahl)
FROM windname
WHERE without_rule
GROUP BY herstellerRegister;
