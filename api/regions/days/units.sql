-- The days of single units, one row for each, for questions that no roll-up can answer: the series are those of
-- sql/warehouse/duckdb/rollups-regions.sql.
SELECT
  'inbetriebnahme' AS serie, CAST(units.einheitTyp AS VARCHAR) AS einheitTyp, units.statusId AS statusId,
  units.inbetriebnahmedatum AS tag, 1 AS anzahl, coalesce(units.bruttoleistungKw, 0) AS kw,
  {{kwh}} AS kwh, CAST(units.energietraeger AS VARCHAR) AS im_register
{{from}}
WHERE (units.inbetriebnahmedatum IS NOT NULL OR units.statusId = 35) AND {{condition}}
UNION ALL
-- Few units have this day, and the projection of what is seldom has them all.
SELECT
  'stilllegung', CAST(units.einheitTyp AS VARCHAR), units.statusId,
  units.stilllegungsdatum, 1, coalesce(units.bruttoleistungKw, 0), {{kwh}},
  CAST(units.energietraeger AS VARCHAR)
FROM units_by_planned_commissioning AS units
WHERE units.stilllegungsdatum IS NOT NULL AND {{conditionOfSeldom}}
UNION ALL
SELECT
  CASE WHEN units.inbetriebnahmedatum IS NULL THEN 'planung' ELSE 'planung_mit_inbetriebnahme' END,
  CAST(units.einheitTyp AS VARCHAR), units.statusId,
  units.geplantesInbetriebnahmedatum, 1, coalesce(units.bruttoleistungKw, 0), {{kwh}},
  CAST(units.energietraeger AS VARCHAR)
{{from}}
WHERE (units.statusId = 31 OR (units.inbetriebnahmedatum IS NULL AND units.geplantesInbetriebnahmedatum IS NOT NULL))
  AND {{condition}}
