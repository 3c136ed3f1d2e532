-- The rates and all else that the law sets by date, prepared so that a plant finds its rows by equality alone. Power is
-- in watts, money in hundredths of a cent, so that every sum is exact.

CREATE OR REPLACE TEMP TABLE eeg_rate_lines AS
SELECT row_number() OVER () + 1 AS line, *
FROM read_csv({{rates}}, {{format}}, parallel = false, columns = {
  valid_from: 'DATE', valid_to: 'DATE', carrier: 'VARCHAR', art: 'VARCHAR', class: 'VARCHAR', from_kw: 'DECIMAL(12,3)',
  to_kw: 'DECIMAL(12,3)', tariff: 'DECIMAL(6,2)', value: 'DECIMAL(6,2)', law: 'VARCHAR', source_kind: 'VARCHAR',
  exact: 'BOOLEAN', note: 'VARCHAR'});

-- One row per band. What a plant earns in the bands below is summed once, so that one row answers for each plant.
CREATE OR REPLACE TEMP TABLE eeg_bands AS
WITH bands AS (
  SELECT line, art, exact, carrier || '/' || art || '/' || class AS series, valid_from AS validFrom, valid_to AS validTo,
    dense_rank() OVER (ORDER BY carrier, art, class, valid_from) AS period,
    CAST(from_kw * 1000 AS BIGINT) AS fromW, CAST(coalesce(to_kw, 1e9) * 1000 AS BIGINT) AS toW,
    CAST(tariff * 100 AS BIGINT) AS tariff, CAST(value * 100 AS BIGINT) AS value
  FROM eeg_rate_lines
)
SELECT period, series, art, validFrom, validTo, fromW, toW, tariff, value,
  first_value(toW) OVER lower AS firstToW,
  -- A band without a rate leaves all bands above it without a sum.
  CASE WHEN count(tariff) OVER lower = count(*) OVER lower
    THEN sum((toW - fromW) * tariff) OVER lower - (toW - fromW) * tariff END AS tariffBelow,
  CASE WHEN count(value) OVER lower = count(*) OVER lower
    THEN sum((toW - fromW) * value) OVER lower - (toW - fromW) * value END AS valueBelow,
  bool_and(exact) OVER lower AS exact,
  list(CAST(line AS INTEGER)) OVER lower AS lines,
  CAST(row_number() OVER (ORDER BY period, fromW) AS SMALLINT) AS band
FROM bands
WINDOW lower AS (PARTITION BY period ORDER BY fromW);

ALTER TABLE eeg_bands ALTER tariffBelow TYPE BIGINT;
ALTER TABLE eeg_bands ALTER valueBelow TYPE BIGINT;

-- The rates of each month: one, or two where a rate begins within it. Bonuses and supplements are in the table for readers;
-- no rule asks for them.
CREATE OR REPLACE TEMP TABLE eeg_rate_months AS
SELECT series, period, validFrom, validTo, unnest(generate_series(eeg_month(validFrom), eeg_month(validTo))) AS ruleMonth
FROM (SELECT DISTINCT series, period, validFrom, validTo FROM eeg_bands
  WHERE art IN ('grund', 'anfang', 'volleinspeisung', 'referenzwert'));

-- A setting without a date waits and does not count.
CREATE OR REPLACE TEMP TABLE eeg_settings AS
SELECT setting, value, valid_from AS validFrom,
  lead(valid_from, 1, DATE '9999-12-31') OVER (PARTITION BY setting ORDER BY valid_from) AS validBefore
FROM read_csv({{settings}}, {{format}},
  columns = {setting: 'VARCHAR', valid_from: 'DATE', value: 'VARCHAR', source: 'VARCHAR'})
WHERE valid_from IS NOT NULL;

CREATE OR REPLACE TEMP TABLE eeg_wind_points AS
SELECT * FROM read_csv({{windFactors}}, {{format}},
  columns = {valid_from: 'DATE', south_only: 'BOOLEAN', yield_percent: 'INTEGER', factor: 'DECIMAL(4,2)'});

-- The law of each month, from the first day on which it holds to the one on which anything changes next. Limits are in watts.
CREATE OR REPLACE TEMP TABLE eeg_law_months AS
WITH changes AS (
  SELECT validFrom FROM eeg_settings UNION SELECT valid_from FROM eeg_wind_points UNION SELECT DATE '2000-04-01'
), spans AS (
  SELECT validFrom AS firstDay, lead(validFrom, 1, DATE '2050-01-01') OVER (ORDER BY validFrom) AS nextFrom FROM changes
), by_name AS (
  PIVOT (
    SELECT firstDay, nextFrom, setting, value FROM spans JOIN eeg_settings ON firstDay >= validFrom AND firstDay < validBefore
    WHERE firstDay >= DATE '2000-04-01'
  ) ON setting IN ({{settingNames}}) USING any_value(value) GROUP BY firstDay, nextFrom
)
SELECT firstDay, nextFrom, unnest(generate_series(eeg_month(firstDay), eeg_month(nextFrom - 1))) AS ruleMonth, law,
  CAST(CAST(fixed_tariff_to_kw AS DOUBLE) * 1000 AS BIGINT) AS tariffToW,
  CAST(CAST(solar_roof_tender_above_kw AS DOUBLE) * 1000 AS BIGINT) AS solarRoofTenderAboveW,
  CAST(CAST(solar_ground_tender_above_kw AS DOUBLE) * 1000 AS BIGINT) AS solarGroundTenderAboveW,
  CAST(CAST(solar_other_tender_above_kw AS DOUBLE) * 1000 AS BIGINT) AS solarOtherTenderAboveW,
  CAST(CAST(solar_citizen_to_kw AS DOUBLE) * 1000 AS BIGINT) AS solarCitizenToW,
  CAST(CAST(solar_full_feed_in_to_kw AS DOUBLE) * 1000 AS BIGINT) AS solarFullFeedInToW,
  CAST(CAST(wind_tender_above_kw AS DOUBLE) * 1000 AS BIGINT) AS windTenderAboveW,
  CAST(CAST(wind_citizen_to_kw AS DOUBLE) * 1000 AS BIGINT) AS windCitizenToW,
  CAST(CAST(offshore_tender_above_kw AS DOUBLE) * 1000 AS BIGINT) AS offshoreTenderAboveW,
  CAST(CAST(biomass_tender_above_kw AS DOUBLE) * 1000 AS BIGINT) AS biomassTenderAboveW,
  CAST(CAST(biomethane_tender_above_kw AS DOUBLE) * 1000 AS BIGINT) AS biomethaneTenderAboveW,
  CAST(CAST(wind_small_yield_percent AS DOUBLE) * 1000 AS BIGINT) AS windSmallYield,
  CAST(utilisation_percent AS INTEGER) AS utilisationPercent,
  CAST(biomass_existing_last_month AS INTEGER) AS biomassLastMonth,
  CAST(biomass_existing_years AS INTEGER) AS biomassYears,
  CAST(CAST(biomass_small_award_plus_ct AS DOUBLE) * 100 AS INTEGER) AS biomassSmallPlus,
  (SELECT max(valid_from) FROM eeg_wind_points WHERE valid_from <= firstDay) AS windFactorsFrom
FROM by_name;

-- The correction factor of the site from each ten percent of yield to the next; outside of the points it stays level.
CREATE OR REPLACE TEMP TABLE eeg_wind_factors AS
WITH steps AS (
  SELECT v.windFactorsFrom, s.south, k.step,
    coalesce(arg_max(p.factor, p.yield_percent) FILTER (p.yield_percent <= k.step * 10),
      arg_min(p.factor, p.yield_percent)) AS factor
  FROM (SELECT DISTINCT valid_from AS windFactorsFrom FROM eeg_wind_points) v
    CROSS JOIN (VALUES (false), (true)) s (south)
    CROSS JOIN range(0, 22) k (step)
    JOIN eeg_wind_points p ON p.valid_from = v.windFactorsFrom AND (s.south OR NOT p.south_only)
  GROUP BY ALL
)
SELECT windFactorsFrom, south, step, CAST(factor * 100 AS BIGINT) AS atStep,
  CAST(lead(factor, 1, factor) OVER (PARTITION BY windFactorsFrom, south ORDER BY step) * 100 AS BIGINT) AS atNext
FROM steps;
