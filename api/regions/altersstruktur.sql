-- Units in operation by completed years on the day of the question, capacities in kW, energy of storage in kWh.
-- A unit commissioned in the future has completed none. Status 35 is "In Betrieb".
WITH days AS (
{{days}}
)
SELECT
  CASE
    WHEN tag <= $years25Ago THEN '25+'
    WHEN tag <= $years20Ago THEN '20-25'
    ELSE '0-20'
  END AS kohorte,
  einheitTyp AS energietraeger,
  {{register}} AS "registerEnergietraeger",
  CAST(sum(anzahl) AS DOUBLE) AS anzahl,
  CAST(sum(kw) AS DOUBLE) AS kw,
  CAST(sum(kwh) AS DOUBLE) AS kwh
FROM days
WHERE serie = 'inbetriebnahme'
  AND statusId = 35
  AND tag IS NOT NULL
  AND {{condition}}
GROUP BY ALL
-- "0-20" < "20-25" < "25+": young to old.
ORDER BY kohorte, energietraeger, "registerEnergietraeger"
