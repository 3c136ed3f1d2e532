-- The measures that compare with the previous version, attached as `previous_version`.

WITH
previous AS (
  SELECT einheitTyp, count(*) AS anzahl FROM previous_version.units GROUP BY einheitTyp
),
departed AS (
  SELECT einheitTyp, count(*) AS anzahl FROM units_departed
  WHERE abgangSeit = {{sequence}} AND abgangGrund = 'verschwunden'
  GROUP BY einheitTyp
)
SELECT 'vanished' AS "check", 'units' AS what, einheitTyp AS "where", coalesce(departed.anzahl, 0) AS n, previous.anzahl AS "of"
FROM previous LEFT JOIN departed USING (einheitTyp)
UNION ALL
-- This counts operators instead of units: there are far fewer, and names are lost by operator.
SELECT 'lost names', 'betreiberName', einheitTyp, count(*) FILTER (betreiberName IS NULL), count(*)
FROM units
SEMI JOIN (SELECT DISTINCT betreiberMastrNummer FROM previous_version.units WHERE betreiberName IS NOT NULL)
USING (betreiberMastrNummer)
GROUP BY einheitTyp
ORDER BY ALL;
