-- One row per plant: the band of the rate table decides by law, the award decides after a tender. `reasons` adds up the bits
-- of all that was found, in the order of reasons.ts (docs/decisions/0016-support-values.md).
CREATE OR REPLACE TEMP TABLE eeg_results AS
WITH asked AS (
  SELECT * EXCLUDE (series), CASE WHEN NOT listed AND NOT needsAward THEN series END AS series FROM eeg_claims
), found AS (
  SELECT c.*, b.band, b.art, b.exact, b.firstToW,
    eeg_mean_rate(c.reach, b.fromW, b.tariffBelow, b.tariff, c.reachBelow, u.fromW, u.tariffBelow, u.tariff) AS tariffRate,
    eeg_mean_rate(c.reach, b.fromW, b.valueBelow, b.value, c.reachBelow, u.fromW, u.valueBelow, u.value) AS valueRate
  FROM asked c
    LEFT JOIN eeg_rate_months d ON d.series = c.series AND d.ruleMonth = c.ruleMonth
      AND c.ruleDay >= d.validFrom AND c.ruleDay <= d.validTo
    LEFT JOIN eeg_bands b ON b.period = d.period AND c.reach > b.fromW AND c.reach <= b.toW
    LEFT JOIN eeg_bands u ON u.period = d.period AND c.reachBelow > u.fromW AND c.reachBelow <= u.toW
), priced AS (
  -- Laws until July 2014 name the tariff, later ones the value; solar has a tariff of its own then.
  SELECT *,
    coalesce(CASE WHEN factor IS NULL THEN valueRate ELSE eeg_half_up(valueRate * factor, 1_000_000) END,
      tariffRate + deduction) AS statutoryValue,
    CASE WHEN tariffToW IS NULL OR tariffWhole <= tariffToW
      THEN coalesce(tariffRate, statutoryValue - deduction) END AS statutoryTariff
  FROM found
)
SELECT p.eeg, p.einheit, p.einheitTyp, p.statusId, p.band, p.art, p.listed,
  CASE WHEN p.listed THEN t.awardedFrom WHEN p.carrier IS NOT NULL THEN p.commissioned END AS supportStart,
  CASE WHEN p.listed THEN t.awardedTo ELSE p.statutoryEnd END AS supportEnd,
  CASE WHEN p.listed THEN t.value ELSE p.statutoryValue END AS value,
  CASE WHEN p.listed THEN t.tariff ELSE p.statutoryTariff END AS tariff,
  p.yield, CASE WHEN NOT p.listed THEN p.phaseChange END AS phaseChange,
  CASE WHEN p.listed THEN t.law WHEN p.carrier IS NOT NULL THEN p.lawOfDay END AS law,
  p.commonRefusals | p.refusals | p.commonDoubts
    + CASE WHEN p.needsAward AND NOT p.listed AND NOT p.flagged THEN {{zuschlag_fehlt}} ELSE 0 END
    + CASE WHEN supportEnd < {{today}} THEN {{foerderung_beendet}} ELSE 0 END
    + CASE WHEN p.listed THEN t.refusals | t.doubts
      ELSE p.doubts
        + CASE WHEN p.flagged AND (p.needsAward OR p.ruleDay IS NULL) THEN {{rundenwert_fehlt}} ELSE 0 END
        + CASE WHEN p.belowUnknown THEN {{leistung_davor_fehlt}} ELSE 0 END
        + CASE WHEN p.statutoryValue IS NULL THEN {{keine_rate}} ELSE 0 END
        + CASE WHEN p.flagged THEN {{zuschlag_unbelegt}} ELSE 0 END
        + CASE WHEN NOT p.exact THEN {{rate_unsicher}} ELSE 0 END
        -- The mean output is never above the installed power: inside the first band the rate is certain.
        + CASE WHEN p.measuredWhole > p.firstToW THEN {{bemessungsleistung}}
          + CASE WHEN p.below IS NOT NULL THEN {{mehrere_anlagen}} ELSE 0 END ELSE 0 END
      END AS reasons
FROM priced p LEFT JOIN eeg_tendered t ON t.einheit = p.einheit;
