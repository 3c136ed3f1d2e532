-- Hydro. The rate follows the mean output of the year, which is not in the register: installed power times an assumed
-- utilisation stands in, and is certain inside the first band only.
CREATE OR REPLACE TEMP VIEW eeg_hydro AS
SELECT *,
  CASE WHEN ruleDay < DATE '2004-08-01' THEN 'wasser/grund/bis_5_mw'
    WHEN ruleDay < DATE '2009-01-01' THEN
      CASE WHEN watts <= 5_000_000 THEN 'wasser/grund/bis_5_mw' ELSE 'wasser/grund/ueber_5_mw_erneuert' END
    WHEN ruleDay < DATE '2012-01-01' THEN
      CASE WHEN watts > 5_000_000 THEN 'wasser/grund/ueber_5_mw'
        WHEN ertuechtigt THEN 'wasser/grund/bis_5_mw_modernisiert' ELSE 'wasser/grund/bis_5_mw_neu' END
    ELSE 'wasser/grund/alle' END AS series,
  eeg_at_least(whole * utilisationPercent // 100, 1) AS reach, below * utilisationPercent // 100 AS reachBelow,
  whole AS tariffWhole, whole AS measuredWhole, 20 AS deduction,
  false AS needsAward,
  -- Small hydro of the first law is supported without end.
  CASE WHEN ruleDay < DATE '2004-08-01' THEN CASE WHEN watts > 5_000_000 THEN eeg_year_end(ruleDay, 20) END
    WHEN ruleDay < DATE '2009-01-01' THEN eeg_year_end(ruleDay, CASE WHEN watts <= 5_000_000 THEN 30 ELSE 15 END)
    WHEN ruleDay < DATE '2012-01-01' THEN eeg_year_end(ruleDay, CASE WHEN watts <= 5_000_000 THEN 20 ELSE 15 END)
    ELSE eeg_year_end(ruleDay, 20) END AS statutoryEnd,
  0 AS refusals,
  CASE WHEN ruleDay >= DATE '2014-08-01' AND ruleDay < DATE '2015-01-01' THEN {{uebergangsregel}} ELSE 0 END
    -- Above 5 MW the EEG 2004 pays for the added power of renewed plants alone.
    + CASE WHEN ertuechtigt OR watts > 5_000_000 AND ruleDay < DATE '2009-01-01' THEN {{wasserkraft_ertuechtigt}} ELSE 0 END
    AS doubts
FROM eeg_cases WHERE carrier = 'wasser';
