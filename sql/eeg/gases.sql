-- Landfill, sewage and mine gas, by mean output as hydro.
CREATE OR REPLACE TEMP VIEW eeg_gases AS
SELECT *,
  carrier || '/grund/alle' AS series,
  eeg_at_least(whole * utilisationPercent // 100, 1) AS reach, below * utilisationPercent // 100 AS reachBelow,
  whole AS tariffWhole, whole AS measuredWhole, 20 AS deduction,
  false AS needsAward,
  eeg_year_end(ruleDay, 20) AS statutoryEnd,
  0 AS refusals,
  CASE WHEN ruleDay >= DATE '2014-08-01' AND ruleDay < DATE '2015-01-01' THEN {{uebergangsregel}} ELSE 0 END AS doubts
FROM eeg_cases WHERE carrier IN ('deponiegas', 'klaergas', 'grubengas');
