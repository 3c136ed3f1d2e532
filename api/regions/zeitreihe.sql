-- Growth, decommissioning and pipeline by period and carrier, capacities in kW, energy of storage in kWh; the service puts the series of a period side by side.
-- Each series counts on its own day, which the roll-up carries as `tag`.
SELECT
  -- Whole numbers are put into groups, and read by the service, sooner than days and texts.
  CAST({{periode}} AS INTEGER) AS periode,
  einheitTyp AS energietraeger,
  {{register}} AS "registerEnergietraeger",
  serie,
  CAST(sum(anzahl) AS DOUBLE) AS anzahl,
  CAST(sum(kw) AS DOUBLE) AS kw,
  CAST(sum(kwh) AS DOUBLE) AS kwh
FROM (
{{days}}
) AS days
WHERE serie IN ('inbetriebnahme', 'stilllegung', 'planung')
  AND {{condition}}
  AND tag >= $von
  AND tag <= $bis
GROUP BY ALL
