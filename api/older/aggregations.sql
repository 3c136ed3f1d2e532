-- Units by one dimension of the older variant, capacities in kW. Status 35 is "In Betrieb".
SELECT
  CAST({{dimension}} AS VARCHAR) AS "key",
  CAST(count(*) AS DOUBLE) AS "count",
  CAST(coalesce(sum(bruttoleistungKw), 0) AS DOUBLE) AS kw,
  CAST(count(*) FILTER (WHERE statusId = 35) AS DOUBLE) AS "inBetriebCount",
  CAST(coalesce(sum(bruttoleistungKw) FILTER (WHERE statusId = 35), 0) AS DOUBLE) AS "inBetriebKw"
{{from}}
{{where}}
GROUP BY ALL
ORDER BY "count" DESC, "key" NULLS LAST
