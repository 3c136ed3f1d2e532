-- The roll-up by region. There are nearly as many groups as units: those that do not fit into memory wait in temporary
-- files. ENUMs instead of texts make them small.

INSERT INTO region_tage
SELECT serie, region, einheitTyp, statusId, tag, count(*), coalesce(sum(kw), 0), coalesce(sum(kwh), 0)
FROM (
  SELECT
    'inbetriebnahme'::{{series}} AS serie, region, einheitTyp::{{carriers}} AS einheitTyp, statusId,
    inbetriebnahmedatum AS tag, bruttoleistungKw AS kw, speicherkapazitaetAnteilKwh AS kwh
  FROM units
  WHERE inbetriebnahmedatum IS NOT NULL OR statusId = 35
  UNION ALL
  SELECT 'stilllegung'::{{series}}, region, einheitTyp::{{carriers}}, statusId, stilllegungsdatum, bruttoleistungKw,
    speicherkapazitaetAnteilKwh
  FROM units
  WHERE stilllegungsdatum IS NOT NULL
  UNION ALL
  SELECT
    CASE WHEN inbetriebnahmedatum IS NULL THEN 'planung' ELSE 'planung_mit_inbetriebnahme' END::{{series}},
    region, einheitTyp::{{carriers}}, statusId, geplantesInbetriebnahmedatum, bruttoleistungKw, speicherkapazitaetAnteilKwh
  FROM units
  WHERE statusId = 31 OR (inbetriebnahmedatum IS NULL AND geplantesInbetriebnahmedatum IS NOT NULL)
)
GROUP BY ALL
ORDER BY region, serie, einheitTyp, tag;
