-- Key figures in one row, capacities in kW, energy of storage in kWh. The window is $von to $bis, both inclusive; $bis is today.
-- Status 31 is "In Planung", 35 is "In Betrieb".
WITH days AS (
{{days}}
),
selected AS (
  SELECT
    anzahl,
    kw,
    kwh,
    tag,
    serie = 'inbetriebnahme' AND tag BETWEEN $von AND $bis AS zubau,
    serie = 'stilllegung' AND tag BETWEEN $von AND $bis AS abbau,
    serie IN ('planung', 'planung_mit_inbetriebnahme') AND statusId = 31 AS pipeline,
    serie = 'inbetriebnahme' AND statusId = 35 AND einheitTyp = 'wind' AS wind
  FROM days
  WHERE {{condition}}
)
SELECT
  CAST(coalesce(sum(anzahl) FILTER (WHERE zubau), 0) AS DOUBLE) AS zubauAnzahl,
  CAST(coalesce(sum(kw) FILTER (WHERE zubau), 0) AS DOUBLE) AS zubauKw,
  CAST(coalesce(sum(kwh) FILTER (WHERE zubau), 0) AS DOUBLE) AS zubauKwh,
  CAST(coalesce(sum(anzahl) FILTER (WHERE abbau), 0) AS DOUBLE) AS abbauAnzahl,
  CAST(coalesce(sum(kw) FILTER (WHERE abbau), 0) AS DOUBLE) AS abbauKw,
  CAST(coalesce(sum(kwh) FILTER (WHERE abbau), 0) AS DOUBLE) AS abbauKwh,
  CAST(coalesce(sum(anzahl) FILTER (WHERE pipeline), 0) AS DOUBLE) AS pipelineAnzahl,
  CAST(coalesce(sum(kw) FILTER (WHERE pipeline), 0) AS DOUBLE) AS pipelineKw,
  CAST(coalesce(sum(kwh) FILTER (WHERE pipeline), 0) AS DOUBLE) AS pipelineKwh,
  CAST(coalesce(sum(anzahl) FILTER (WHERE pipeline AND tag IS NOT NULL), 0) AS DOUBLE) AS pipelineMitDatum,
  CAST(coalesce(sum(anzahl) FILTER (WHERE wind), 0) AS DOUBLE) AS windGesamt,
  CAST(coalesce(sum(anzahl) FILTER (WHERE wind AND tag <= $years20Ago), 0) AS DOUBLE) AS windAlt
FROM selected
