-- The rows of region_tage in the order and with the numbers of the file of the days of regions (sql/warehouse/regions).
WITH gruppen AS MATERIALIZED (
  {{groups}}
)
SELECT
  region,
  CAST(gruppe AS INTEGER),
  coalesce(CAST(tag - ({{dayZero}}) AS INTEGER), 0),
  anzahl,
  CAST(kw * 1000 AS DOUBLE),
  CAST(kwh * 1000 AS DOUBLE)
FROM (FROM region_tage WHERE {{among}}) AS tage
JOIN gruppen
  ON gruppen.serie = tage.serie
  AND gruppen.einheitTyp = tage.einheitTyp
  AND gruppen.statusId IS NOT DISTINCT FROM tage.statusId
ORDER BY region, gruppe, tag NULLS FIRST
