-- The case of each plant, by rules that all carriers share: carrier, power, the day that decides the law, and reasons
-- against any value.
CREATE OR REPLACE TEMP TABLE eeg_cases AS
WITH plants AS (
  SELECT *,
    -- A unit has no claim to the rate of another kind of plant.
    CASE WHEN passt THEN eeg_carrier(einheitTyp, energietraegerId, hauptbrennstoffId, seelageId) END AS carrier,
    -- More than 10 GW is a typing error, and would not fit the sums.
    CASE WHEN kw > 0 AND kw <= 10_000_000 THEN CAST(kw * 1000 AS BIGINT) END AS watts,
    CASE WHEN davorKw > 0 AND davorKw <= 10_000_000 THEN CAST(davorKw * 1000 AS BIGINT) END AS below,
    davorKw IS NULL OR davorKw > 10_000_000 AS belowUnknown,
    CASE WHEN statusId IS DISTINCT FROM 31 AND inbetriebnahme >= DATE '1900-01-01' AND inbetriebnahme <= {{today}}
      THEN inbetriebnahme END AS commissioned,
    coalesce(len(zuschlaege), 0) > 0 AS listed,
    coalesce(hatZuschlag, false) AS flagged
  FROM eeg_plants
), dated AS (
  -- Plants from before the first law count as if they had begun with it.
  SELECT *, CASE WHEN commissioned < DATE '2000-04-01' THEN DATE '2000-04-01' ELSE commissioned END AS caseDay,
    CASE WHEN NOT belowUnknown THEN watts + coalesce(below, 0) END AS whole
  FROM plants
)
SELECT p.*, d.* EXCLUDE (firstDay, nextFrom), CASE WHEN d.firstDay IS NOT NULL THEN caseDay END AS ruleDay,
  -- Solar and biomass have the rates of the EEG 2004 from January 2004 on.
  CASE WHEN d.law = 'EEG 2000' AND caseDay >= DATE '2004-01-01' AND carrier IN ('solar', 'biomasse') THEN 'EEG 2004'
    ELSE d.law END AS lawOfDay,
  CASE WHEN NOT passt THEN {{anderer_energietraeger}} WHEN carrier IS NULL THEN {{kein_eeg_anspruch}} ELSE 0 END
    + CASE WHEN zahlung = false THEN {{keine_zahlung}} ELSE 0 END
    + CASE WHEN statusId IS DISTINCT FROM 35 AND NOT listed AND NOT flagged THEN {{nicht_in_betrieb}} ELSE 0 END
    + CASE WHEN watts IS NULL THEN {{leistung_fehlt}} ELSE 0 END
    + CASE WHEN statusId = 35 AND commissioned IS NULL THEN {{datum_fehlt}} ELSE 0 END AS commonRefusals,
  CASE WHEN commissioned IS NULL THEN {{in_planung}} ELSE 0 END
    + CASE WHEN commissioned IS NOT NULL AND eigenesDatum IS DISTINCT FROM true THEN {{fremdes_datum}} ELSE 0 END
    + CASE WHEN verschieden THEN {{einheiten_verschieden}} ELSE 0 END AS commonDoubts
FROM dated p
  LEFT JOIN eeg_law_months d ON d.ruleMonth = eeg_month(p.caseDay) AND p.caseDay >= d.firstDay AND p.caseDay < d.nextFrom;
