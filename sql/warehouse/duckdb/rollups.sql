-- A slice of region_tage: a range of regions, both ends included.

INSERT INTO region_tage
SELECT serie, region, einheitTyp, statusId, tag, count(*), coalesce(sum(kw), 0)
FROM (
  SELECT 'inbetriebnahme' AS serie, region, einheitTyp, statusId, inbetriebnahmedatum AS tag, bruttoleistungKw AS kw
  FROM units
  WHERE region BETWEEN {{from}} AND {{to}} AND (inbetriebnahmedatum IS NOT NULL OR statusId = 35)
  UNION ALL
  SELECT 'stilllegung', region, einheitTyp, statusId, stilllegungsdatum, bruttoleistungKw
  FROM units
  WHERE region BETWEEN {{from}} AND {{to}} AND stilllegungsdatum IS NOT NULL
  UNION ALL
  SELECT
    CASE WHEN inbetriebnahmedatum IS NULL THEN 'planung' ELSE 'planung_mit_inbetriebnahme' END,
    region, einheitTyp, statusId, geplantesInbetriebnahmedatum, bruttoleistungKw
  FROM units
  WHERE region BETWEEN {{from}} AND {{to}}
    AND (statusId = 31 OR (inbetriebnahmedatum IS NULL AND geplantesInbetriebnahmedatum IS NOT NULL))
)
GROUP BY ALL
ORDER BY region, serie, einheitTyp, tag;
