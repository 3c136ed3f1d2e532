-- Units by rank: the name begins with the term (1), a word of the name does (2), the name contains it (3). Within a rank,
-- larger units come first. `digits` are those of the unit's number.
-- The best units have the best names, so only the lists of those names are read.
WITH best_names AS (
  SELECT
    rowid AS row_id,
    CASE WHEN starts_with(gefaltet, $term) THEN 1 WHEN regexp_matches(gefaltet, $wordStart) THEN 2 ELSE 3 END AS matchRank,
    kw, nummer
  FROM suchnamen
  WHERE contains(gefaltet, $term)
    AND (NOT $onlyBeginnings OR (gefaltet >= $term AND gefaltet < $afterTerm))
    AND (NOT $onlyStates OR list_contains(CAST($states AS VARCHAR[]), bundesland))
    AND (NOT $onlyCarriers OR list_contains(CAST($carriers AS VARCHAR[]), einheitTyp))
  ORDER BY matchRank, kw DESC NULLS LAST, nummer
  LIMIT $limit
)
SELECT CAST(matchRank AS INTEGER) AS matchRank, CAST(unit.nummer AS DOUBLE) AS digits
FROM (
  SELECT best_names.matchRank, unnest(suchnamen.groesste) AS unit
  FROM best_names JOIN suchnamen ON suchnamen.rowid = best_names.row_id
)
ORDER BY matchRank, unit.kw DESC NULLS LAST, unit.nummer
LIMIT $limit
