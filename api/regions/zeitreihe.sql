-- Growth, decommissioning and pipeline by period and carrier, capacities in kW.
-- Each series counts on its own day, which the roll-up carries as `tag`.
WITH tage AS (
{{tage}}
),
summen AS (
  SELECT
    -- Whole numbers are put into groups, and read by the service, sooner than days and texts.
    CASE $periode
      WHEN 'jahr' THEN year(tag)
      WHEN 'quartal' THEN year(tag) * 4 + quarter(tag) - 1
      ELSE year(tag) * 12 + month(tag) - 1
    END AS periode,
    einheitTyp,
    sum(anzahl) FILTER (serie = 'inbetriebnahme') AS zubauAnzahl,
    sum(kw) FILTER (serie = 'inbetriebnahme') AS zubauKw,
    sum(anzahl) FILTER (serie = 'stilllegung') AS abbauAnzahl,
    sum(kw) FILTER (serie = 'stilllegung') AS abbauKw,
    sum(anzahl) FILTER (serie = 'planung') AS pipelineAnzahl,
    sum(kw) FILTER (serie = 'planung') AS pipelineKw
  FROM tage
  WHERE serie IN ('inbetriebnahme', 'stilllegung', 'planung')
    AND list_contains(CAST($energietraeger AS VARCHAR[]), einheitTyp)
    AND tag >= coalesce(CAST($von AS DATE), DATE '0001-01-01')
    AND tag <= coalesce(CAST($bis AS DATE), DATE '9999-12-31')
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
FROM summen
ORDER BY periode, einheitTyp
