-- The units whose names hold what is searched for, best first: at the beginning of the name (1), of a word (2), anywhere
-- (3); among those the largest. `digits` are those of the unit's number.
-- The best units are among those of the best names, so only the lists of these are read.
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
