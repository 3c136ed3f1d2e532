-- Growth, decommissioning and pipeline by period and carrier, capacities in kW.
-- Each series counts on its own day, which the roll-up carries as `tag`.
WITH tage AS (
{{tage}}
),
summen AS (
  SELECT
    date_trunc($einheit, tag) AS beginn,
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
  CASE $einheit
    WHEN 'year' THEN strftime(beginn, '%Y')
    WHEN 'quarter' THEN strftime(beginn, '%Y') || '-Q' || quarter(beginn)
    ELSE strftime(beginn, '%Y-%m')
  END AS periode,
  einheitTyp AS energietraeger,
  CAST(coalesce(zubauAnzahl, 0) AS DOUBLE) AS zubauAnzahl,
  CAST(coalesce(zubauKw, 0) AS DOUBLE) AS zubauKw,
  CAST(coalesce(abbauAnzahl, 0) AS DOUBLE) AS abbauAnzahl,
  CAST(coalesce(abbauKw, 0) AS DOUBLE) AS abbauKw,
  CAST(coalesce(pipelineAnzahl, 0) AS DOUBLE) AS pipelineAnzahl,
  CAST(coalesce(pipelineKw, 0) AS DOUBLE) AS pipelineKw
FROM summen
ORDER BY beginn, einheitTyp
