-- The same, of what only a comparison with the version before (attached as `vorige`) can tell.

WITH
vorher AS (
  SELECT einheitTyp, count(*) AS anzahl FROM vorige.units GROUP BY einheitTyp
),
weg AS (
  SELECT einheitTyp, count(*) AS anzahl FROM units_departed
  WHERE abgangSeit = {{sequence}} AND abgangGrund = 'verschwunden'
  GROUP BY einheitTyp
)
SELECT 'vanished' AS "check", 'units' AS what, einheitTyp AS "where", coalesce(weg.anzahl, 0) AS n, vorher.anzahl AS "of"
FROM vorher LEFT JOIN weg USING (einheitTyp)
UNION ALL
-- Operators, not units: there are far fewer, and names are lost by operator.
SELECT 'lost names', 'betreiberName', einheitTyp, count(*) FILTER (betreiberName IS NULL), count(*)
FROM units
SEMI JOIN (SELECT DISTINCT betreiberMastrNummer FROM vorige.units WHERE betreiberName IS NOT NULL)
USING (betreiberMastrNummer)
GROUP BY einheitTyp
ORDER BY ALL;
