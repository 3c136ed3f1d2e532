-- Biomass, by mean output as hydro. Before August 2014 it lived on bonuses that are not in the register, so that its base
-- rate alone would mislead. Plants for manure and organic waste cannot be told from other biogas plants.
CREATE OR REPLACE TEMP VIEW eeg_biomass AS
SELECT *,
  'biomasse/grund/allgemein' AS series,
  eeg_at_least(whole * utilisationPercent // 100, 1) AS reach, below * utilisationPercent // 100 AS reachBelow,
  whole AS tariffWhole, whole AS measuredWhole, 20 AS deduction,
  coalesce(coalesce(whole, watts) > CASE hauptbrennstoffId WHEN 2446 THEN coalesce(biomethaneTenderAboveW, biomassTenderAboveW)
    ELSE biomassTenderAboveW END, false) AS needsAward,
  CASE WHEN NOT needsAward THEN eeg_year_end(ruleDay, 20) END AS statutoryEnd,
  CASE WHEN NOT listed AND ruleDay < DATE '2014-08-01' THEN {{biomasse_vor_2014_08}} ELSE 0 END AS refusals,
  CASE WHEN ruleDay >= DATE '2014-08-01' AND ruleDay < DATE '2015-01-01' THEN {{uebergangsregel}} ELSE 0 END
    -- Register: 719 liquid and 720 solid biomass; 2445 biogas, 2446 biomethane, 2415 waste wood.
    + CASE WHEN coalesce(biomasseartId, 0) NOT IN (719, 720) OR hauptbrennstoffId IN (2415, 2445, 2446)
      THEN {{brennstoff_unsicher}} ELSE 0 END AS doubts
FROM eeg_cases WHERE carrier = 'biomasse';
