-- Plants with awards. Values of single bids are not published: the mean of the round stands in, unless all awards of the
-- round have one price, or the law gives the highest awarded bid to everybody of a kind.
CREATE OR REPLACE TEMP TABLE eeg_tendered AS
WITH single AS (
  SELECT einheit, carrier, watts, commissioned, caseDay, buergerenergie,
    unnest(zuschlaege) AS award, generate_subscripts(zuschlaege, 1) AS place
  FROM eeg_cases WHERE listed
), awards AS (
  SELECT *,
    -- A week after publication counts as announced; where that is not known, two months after the bid date.
    coalesce(award.bekanntgabe, CAST(award.datum + INTERVAL 2 MONTH AS DATE)) AS announced,
    award.bekanntgabe IS NULL AS assumed,
    coalesce(commissioned < award.datum, false) AS existing,
    list_contains(CASE carrier WHEN 'solar' THEN ['SOLAR_FREIFLAECHE', 'SOLAR_DACH', 'GEMEINSAM', 'INNOVATION']
      WHEN 'wind' THEN ['WIND', 'GEMEINSAM', 'INNOVATION'] WHEN 'wind_see' THEN ['WIND_SEE', 'WIND']
      WHEN 'biomasse' THEN ['BIOMASSE', 'BIOMETHAN'] ELSE [] END, award.technologie) AS fits
  FROM single
), priced AS (
  SELECT a.*, d.* EXCLUDE (law, firstDay, nextFrom), d.law AS lawOfBid,
    carrier = 'biomasse' AND existing AND watts <= 150_000 AS smallExisting,
    CAST(100 * CASE WHEN smallExisting OR carrier = 'wind' AND buergerenergie THEN coalesce(award.hoechstes, award.mittel)
      ELSE award.mittel END AS BIGINT)
      + CASE WHEN award.technologie = 'BIOMASSE' AND watts <= 500_000 THEN coalesce(d.biomassSmallPlus, 0) ELSE 0 END AS price
  FROM awards a
    LEFT JOIN eeg_law_months d ON d.ruleMonth = eeg_month(award.datum) AND award.datum >= d.firstDay AND award.datum < d.nextFrom
), plants AS (
  SELECT einheit,
    any_value(carrier) AS carrier, any_value(watts) AS watts, any_value(commissioned) AS commissioned,
    any_value(caseDay) AS caseDay,
    count(*) AS awards, bool_or(fits) AS anyFits,
    bool_or(award.technologie = 'KWK') AS kwk,
    bool_or(fits AND award.festePraemie) AS fixedPremium,
    -- Without the volume of each award all weigh the same.
    bool_and(award.mengeKw > 0) FILTER (fits) IS TRUE AND count(*) FILTER (fits AND award.mengeKw IS NULL) = 0 AS weighted,
    CASE WHEN count(*) FILTER (fits AND price IS NULL) = 0 THEN CASE WHEN weighted
      THEN eeg_half_up(sum(price * CAST(award.mengeKw * 1000 AS HUGEINT)) FILTER (fits),
        sum(CAST(award.mengeKw * 1000 AS HUGEINT)) FILTER (fits))
      ELSE eeg_half_up(sum(price) FILTER (fits), count(*) FILTER (fits)) END END AS price,
    bool_and(award.einheitspreis IS TRUE) FILTER (fits) AS uniform,
    bool_and(award.flurstueckGleich IS TRUE) FILTER (fits) AS sameParcel,
    bool_and(smallExisting AND award.hoechstes IS NOT NULL) FILTER (fits) AS highestBid,
    arg_min_null(award.technologie, place) FILTER (fits) AS technologie,
    arg_min_null(existing, place) FILTER (fits) AS existing,
    arg_min_null(announced, place) FILTER (fits) AS announced,
    arg_min_null(assumed, place) FILTER (fits) AS assumed,
    arg_min_null(lawOfBid, place) FILTER (fits) AS lawOfBid,
    arg_min_null(windFactorsFrom, place) FILTER (fits) AS windFactorsFrom,
    arg_min_null(biomassLastMonth, place) FILTER (fits) AS lastMonth,
    arg_min_null(biomassYears, place) FILTER (fits) AS years
  FROM priced GROUP BY einheit
), begun AS (
  SELECT *,
    carrier = 'biomasse' AND existing AS follows,
    CAST(date_trunc('month', announced) + to_months(lastMonth) AS DATE) AS lastSwitch,
    -- An existing plant switches when its old support ends, as far as the months after the award allow it.
    CASE WHEN follows THEN eeg_at_most(lastSwitch, eeg_at_least(CAST(date_trunc('month', announced) + INTERVAL 3 MONTH AS DATE),
        CAST(eeg_year_end(caseDay, 20) + INTERVAL 1 DAY AS DATE)))
      WHEN commissioned IS NULL THEN NULL
      WHEN carrier = 'wind' THEN eeg_at_most(commissioned, CAST(announced + INTERVAL 30 MONTH AS DATE))
      WHEN carrier = 'biomasse' THEN eeg_at_most(commissioned, CAST(announced + INTERVAL 36 MONTH AS DATE))
      WHEN anyFits THEN commissioned END AS awardedFrom
  FROM plants
), sites AS (
  SELECT b.*,
    coalesce(eeg_yield(p.ertrag15), eeg_yield(p.ertrag10), eeg_yield(p.ertrag5)) AS measured,
    coalesce(measured, eeg_yield(p.ertragSchaetzung)) AS siteYield, coalesce(p.suedregion, false) AS south
  FROM begun b JOIN eeg_plants p USING (einheit)
)
SELECT einheit, awardedFrom,
  CASE WHEN awardedFrom IS NULL THEN NULL
    WHEN technologie = 'SOLAR_DACH' THEN last_day(announced + INTERVAL 252 MONTH)
    ELSE CAST(awardedFrom + to_years(CASE WHEN follows THEN years ELSE 20 END) AS DATE) END AS awardedTo,
  lawOfBid AS law,
  CAST(CASE WHEN carrier = 'wind'
    THEN eeg_half_up(price * coalesce(eeg_wind_factor(siteYield, f.step, f.atStep, f.atNext), 1_000_000), 1_000_000)
    ELSE price END AS BIGINT) AS value,
  -- Only small plants that were there before have a fixed tariff too.
  CASE WHEN follows AND watts <= 100_000 THEN CAST(price AS BIGINT) - 20 END AS tariff,
  CASE WHEN fixedPremium THEN {{feste_praemie}} ELSE 0 END
    + CASE WHEN kwk AND NOT anyFits THEN {{kwk_anlage}} ELSE 0 END
    + CASE WHEN follows AND caseDay < DATE '2014-08-01' AND awardedFrom > {{today}} THEN {{biomasse_vor_2014_08}} ELSE 0 END
    + CASE WHEN price IS NULL THEN {{rundenwert_fehlt}} ELSE 0 END AS refusals,
  CASE WHEN uniform IS NOT TRUE AND highestBid IS NOT TRUE THEN {{gebotspreis}} ELSE 0 END
    + CASE WHEN uniform AND commissioned > announced + INTERVAL 18 MONTH THEN {{zuschlag_spaet}} ELSE 0 END
    + CASE WHEN uniform AND NOT sameParcel THEN {{flurstueck_abweichend}} ELSE 0 END
    -- Beginning, end or deduction follow from that day. No award is announced before its bid date, two months before the assumed day.
    + CASE WHEN assumed AND (follows OR technologie = 'SOLAR_DACH' OR awardedFrom < commissioned
        OR uniform AND commissioned > announced + INTERVAL 16 MONTH)
      THEN {{bekanntgabe_angenommen}} ELSE 0 END
    + CASE WHEN awards > 1 THEN {{mehrere_zuschlaege}} ELSE 0 END
    + CASE WHEN follows AND lastSwitch > {{today}} THEN {{umstellung_angenommen}} ELSE 0 END
    + CASE WHEN carrier = 'wind' AND measured IS NULL THEN {{standortertrag}} ELSE 0 END AS doubts
FROM sites s
  LEFT JOIN eeg_wind_factors f ON f.windFactorsFrom = s.windFactorsFrom AND f.south = s.south AND f.step = s.siteYield // 10_000;
