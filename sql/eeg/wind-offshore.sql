-- Wind offshore by law: the initial rate for twelve years. How much longer it lasts depends on distance and depth, which
-- the plant does not tell, so the change is the earliest one.
CREATE OR REPLACE TEMP VIEW eeg_wind_offshore AS
WITH phases AS (
  SELECT *, CAST(ruleDay + INTERVAL 12 YEAR AS DATE) AS phaseChange
  FROM eeg_cases WHERE carrier = 'wind_see'
)
SELECT *,
  coalesce(eeg_yield(ertrag15), eeg_yield(ertrag10), eeg_yield(ertrag5), eeg_yield(ertragSchaetzung)) AS yield,
  CASE WHEN {{today}} >= phaseChange THEN 'wind_see/grund/offshore' ELSE 'wind_see/anfang/offshore' END AS series,
  CASE WHEN watts IS NOT NULL THEN 1 END AS reach, watts AS tariffWhole, 40 AS deduction,
  coalesce(watts > offshoreTenderAboveW, false) AS needsAward,
  CASE WHEN NOT needsAward THEN eeg_year_end(ruleDay, 20) END AS statutoryEnd,
  CASE WHEN listed OR flagged THEN {{seewind_ausschreibung}} ELSE 0 END AS refusals,
  {{seewind}} AS doubts
FROM phases;
