-- Geothermal energy, by mean output as hydro. Bonuses for heat and for hot rock from 2009 to July 2014 are not in the register.
CREATE OR REPLACE TEMP VIEW eeg_geothermal AS
SELECT *,
  'geothermie/grund/alle' AS series,
  eeg_at_least(whole * utilisationPercent // 100, 1) AS reach, below * utilisationPercent // 100 AS reachBelow,
  whole AS tariffWhole, whole AS measuredWhole, 20 AS deduction,
  false AS needsAward,
  eeg_year_end(ruleDay, 20) AS statutoryEnd,
  0 AS refusals,
  CASE WHEN ruleDay >= DATE '2009-01-01' AND ruleDay < DATE '2014-08-01' THEN {{bonus_unbekannt}} ELSE 0 END
    + CASE WHEN ruleDay >= DATE '2014-08-01' AND ruleDay < DATE '2015-01-01' THEN {{uebergangsregel}} ELSE 0 END AS doubts
FROM eeg_cases WHERE carrier = 'geothermie';
