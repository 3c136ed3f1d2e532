-- Growth, decommissioning and pipeline by period and carrier, capacities in kW.
-- Each series counts on its own day, which the roll-up carries as `tag`.
WITH days AS (
{{days}}
),
sums AS (
  SELECT
    -- Whole numbers are put into groups, and read by the service, sooner than days and texts.
    {{periode}} AS periode,
    einheitTyp,
    sum(anzahl) FILTER (WHERE serie = 'inbetriebnahme') AS zubauAnzahl,
    sum(kw) FILTER (WHERE serie = 'inbetriebnahme') AS zubauKw,
    sum(anzahl) FILTER (WHERE serie = 'stilllegung') AS abbauAnzahl,
    sum(kw) FILTER (WHERE serie = 'stilllegung') AS abbauKw,
    sum(anzahl) FILTER (WHERE serie = 'planung') AS pipelineAnzahl,
    sum(kw) FILTER (WHERE serie = 'planung') AS pipelineKw
  FROM days
  WHERE serie IN ('inbetriebnahme', 'stilllegung', 'planung')
    AND {{condition}}
    AND tag >= $von
    AND tag <= $bis
  GROUP BY ALL
)
SELECT
  CAST(periode AS INTEGER) AS periode,
  einheitTyp AS energietraeger,
  CAST(coalesce(zubauAnzahl, 0) AS DOUBLE) AS zubauAnzahl,
  CAST(coalesce(zubauKw, 0) AS DOUBLE) AS zubauKw,
  CAST(coalesce(abbauAnzahl, 0) AS DOUBLE) AS abbauAnzahl,
  CAST(coalesce(abbauKw, 0) AS DOUBLE) AS abbauKw,
  CAST(coalesce(pipelineAnzahl, 0) AS DOUBLE) AS pipelineAnzahl,
  CAST(coalesce(pipelineKw, 0) AS DOUBLE) AS pipelineKw
FROM sums
ORDER BY periode, einheitTyp
