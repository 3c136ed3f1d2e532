-- The days of a district or a municipality, as sql/query/places.ts finds it. A name that several places share selects all
-- of them.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw, {{kwh}} AS kwh
FROM region_tage
WHERE region IN (
  SELECT region
  FROM regionen
  WHERE {{place}}
)
