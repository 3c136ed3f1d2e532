-- The numbers of the regions of a district or a municipality, as sql/query/places.ts finds it.
SELECT region
FROM regionen
WHERE {{place}}
ORDER BY region
