-- Solar: monthly rates by kind of plant. Roofs have bands; all else has one rate.
CREATE OR REPLACE TEMP VIEW eeg_solar AS
WITH kinds AS (
  SELECT *,
    -- Register: 853 building, 2961 plug-in device, 852 ground-mounted, the others structures, water and car parks.
    CASE WHEN lageId IN (853, 2961) THEN 'gebaeude'
      WHEN lageId IN (852, 2484, 3002, 3058) THEN CASE WHEN ruleDay < DATE '2015-09-01' THEN 'freiflaeche' ELSE 'sonstige' END
      END AS class,
    CASE WHEN lageId IN (853, 2961) THEN solarRoofTenderAboveW WHEN lageId = 852 THEN solarGroundTenderAboveW
      ELSE solarOtherTenderAboveW END AS tenderAboveW
  FROM eeg_cases WHERE carrier = 'solar'
), claims AS (
  SELECT *,
    coalesce(coalesce(whole, watts) > tenderAboveW, false) AND buergerenergie IS TRUE AND coalesce(whole <= solarCitizenToW, false) AS citizen
  FROM kinds
)
SELECT *,
  CASE WHEN citizen THEN CASE class WHEN 'gebaeude' THEN 'solar/referenzwert/buergerenergie_segment_2'
      ELSE 'solar/referenzwert/buergerenergie_segment_1' END
    WHEN class = 'gebaeude' THEN CASE WHEN einspeisungsartId = 688 AND whole <= solarFullFeedInToW
      THEN 'solar/volleinspeisung/gebaeude' ELSE 'solar/grund/gebaeude' END
    WHEN class = 'freiflaeche' THEN 'solar/grund/freiflaeche'
    WHEN class = 'sonstige' THEN 'solar/grund/sonstige' END AS series,
  whole AS reach, below AS reachBelow, whole AS tariffWhole, 40 AS deduction,
  coalesce(coalesce(whole, watts) > tenderAboveW, false) AND NOT citizen AS needsAward,
  -- Until the second segment began, the support of a tendered plant ended with its own twenty years.
  CASE WHEN coalesce(coalesce(whole, watts) > tenderAboveW, false) AND NOT citizen
    THEN CASE WHEN class = 'sonstige' OR ruleDay < DATE '2021-01-01' THEN CAST(commissioned + INTERVAL 20 YEAR AS DATE) END
    ELSE eeg_year_end(ruleDay, 20) END AS statutoryEnd,
  CASE WHEN lageId IS NULL THEN {{lage_fehlt}} ELSE 0 END AS refusals,
  CASE WHEN ruleDay >= DATE '2012-04-01' AND (class = 'gebaeude' AND ruleDay < DATE '2012-07-01'
      OR class = 'freiflaeche' AND ruleDay < DATE '2012-10-01') THEN {{uebergangsregel}} ELSE 0 END
    + CASE WHEN below IS NOT NULL THEN {{mehrere_anlagen}} ELSE 0 END
    + CASE WHEN class = 'freiflaeche' AND ruleDay >= DATE '2010-07-01' AND ruleDay < DATE '2012-04-01'
      THEN {{konversionsflaeche}} ELSE 0 END
    + CASE WHEN class = 'gebaeude' AND whole > 300_000 AND whole <= 750_000
      AND ruleDay >= DATE '2021-04-01' AND ruleDay < DATE '2023-01-01' THEN {{teilmenge}} ELSE 0 END
    + CASE WHEN class = 'gebaeude' AND ruleDay >= DATE '2012-04-01' AND nutzungsbereichId IS DISTINCT FROM 713
      THEN {{gebaeude_aussenbereich}} ELSE 0 END
    + CASE WHEN einspeisungsartId IS NULL AND ruleDay >= DATE '2022-07-30' THEN {{einspeisungsart_fehlt}} ELSE 0 END
    + CASE WHEN citizen THEN {{buergerenergie}} ELSE 0 END AS doubts
FROM claims;
