-- Key figures in one row, capacities in kW. The window is $von to $bis, both inclusive; $bis is today.
-- Status 31 is "In Planung", 35 is "In Betrieb".
WITH tage AS (
{{tage}}
),
gewaehlt AS (
  SELECT
    anzahl,
    kw,
    tag,
    serie = 'inbetriebnahme' AND tag BETWEEN CAST($von AS DATE) AND CAST($bis AS DATE) AS zubau,
    serie = 'stilllegung' AND tag BETWEEN CAST($von AS DATE) AND CAST($bis AS DATE) AS abbau,
    serie IN ('planung', 'planung_mit_inbetriebnahme') AND statusId = 31 AS pipeline,
    serie = 'inbetriebnahme' AND statusId = 35 AND einheitTyp = 'wind' AS wind
  FROM tage
  WHERE list_contains(CAST($energietraeger AS VARCHAR[]), einheitTyp)
)
SELECT
  CAST(coalesce(sum(anzahl) FILTER (zubau), 0) AS DOUBLE) AS zubauAnzahl,
  CAST(coalesce(sum(kw) FILTER (zubau), 0) AS DOUBLE) AS zubauKw,
  CAST(coalesce(sum(anzahl) FILTER (abbau), 0) AS DOUBLE) AS abbauAnzahl,
  CAST(coalesce(sum(kw) FILTER (abbau), 0) AS DOUBLE) AS abbauKw,
  CAST(coalesce(sum(anzahl) FILTER (pipeline), 0) AS DOUBLE) AS pipelineAnzahl,
  CAST(coalesce(sum(kw) FILTER (pipeline), 0) AS DOUBLE) AS pipelineKw,
  CAST(coalesce(sum(anzahl) FILTER (pipeline AND tag IS NOT NULL), 0) AS DOUBLE) AS pipelineMitDatum,
  CAST(coalesce(sum(anzahl) FILTER (wind), 0) AS DOUBLE) AS windGesamt,
  CAST(coalesce(sum(anzahl) FILTER (wind AND tag <= CAST($bis AS DATE) - INTERVAL 20 YEAR), 0) AS DOUBLE) AS windAlt
FROM gewaehlt
