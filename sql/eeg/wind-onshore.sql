-- Wind onshore. Until 2018 a plant by law has a higher rate first, for longer the poorer its site; from 2019 on it has one
-- rate times the correction factor of the site, as tendered plants have.
CREATE OR REPLACE TEMP VIEW eeg_wind AS
WITH yields AS (
  SELECT *,
    eeg_yield(ertrag5) AS measured5,
    coalesce(eeg_yield(ertrag15), eeg_yield(ertrag10), eeg_yield(ertrag5)) AS measured,
    eeg_yield(ertragSchaetzung) AS estimated,
    CASE WHEN watts <= 50_000 THEN windSmallYield END AS fixed,
    coalesce(ruleDay < DATE '2019-01-01', false) AND NOT listed AS twoStage
  FROM eeg_cases WHERE carrier = 'wind'
), sites AS (
  SELECT *,
    coalesce(fixed, CASE WHEN twoStage THEN measured5 ELSE measured END, estimated) AS siteYield,
    coalesce(measured, estimated) AS yield,
    coalesce(watts > windTenderAboveW, false) AND NOT coalesce(pilot, false) AND NOT coalesce(prototyp, false)
      AND NOT (coalesce(buergerenergie, false) AND coalesce(watts <= windCitizenToW, false)) AS needsAward,
    CASE WHEN NOT needsAward THEN eeg_year_end(ruleDay, 20) END AS statutoryEnd
  FROM yields
), stages AS (
  SELECT *,
    CASE WHEN NOT twoStage OR siteYield IS NULL THEN NULL
      WHEN ruleDay < DATE '2014-08-01' THEN 60 + 2 * (eeg_at_least(150_000 - siteYield, 0) // 750)
      ELSE 60 + eeg_at_least(130_000 - siteYield, 0) // 360 + eeg_at_least(100_000 - siteYield, 0) // 480 END AS initialMonths
  FROM sites
), changes AS (
  -- Half of the time that a plant had run before the first law counts, but at least four years remain.
  SELECT *, CAST(ruleDay + to_months(CAST(CASE WHEN commissioned < ruleDay
      THEN eeg_at_least(initialMonths - datediff('month', commissioned, ruleDay) // 2, 48)
      ELSE initialMonths END AS INTEGER)) AS DATE) AS initialUntil
  FROM stages
), phases AS (
  SELECT *, CASE WHEN initialUntil < statutoryEnd THEN initialUntil END AS phaseChange FROM changes
)
SELECT p.*,
  CASE WHEN NOT twoStage THEN 'wind/referenzwert/onshore_ohne_ausschreibung'
    WHEN {{today}} >= phaseChange THEN 'wind/grund/onshore' ELSE 'wind/anfang/onshore' END AS series,
  -- There are no bands: any position finds the one row.
  CASE WHEN watts IS NOT NULL THEN 1 END AS reach, watts AS tariffWhole, 40 AS deduction,
  CASE WHEN NOT twoStage THEN coalesce(eeg_wind_factor(siteYield, f.step, f.atStep, f.atNext), 1_000_000) END AS factor,
  0 AS refusals,
  -- Within five years the first of two rates is certain, whatever the site yields.
  CASE WHEN fixed IS NOT NULL
      OR CASE WHEN twoStage THEN measured5 IS NOT NULL OR commissioned + INTERVAL 5 YEAR > {{today}} ELSE measured IS NOT NULL END
    THEN 0 ELSE {{standortertrag}} END
    + CASE WHEN ruleDay >= DATE '2009-01-01' AND ruleDay < DATE '2014-08-01' THEN {{bonus_unbekannt}} ELSE 0 END
    + CASE WHEN ruleDay >= DATE '2014-08-01' AND ruleDay < DATE '2015-01-01' THEN {{uebergangsregel}} ELSE 0 END AS doubts
FROM phases p
  LEFT JOIN eeg_wind_factors f ON f.windFactorsFrom = p.windFactorsFrom AND f.south = coalesce(p.suedregion, false)
    AND f.step = p.siteYield // 10_000;
