-- The units whose names hold what is searched for, best first: at the beginning of the name (1), of a word (2), anywhere
-- (3); among those the largest. `digits` are those of the unit's number.
-- The best units are among those of the best names, so only the lists of these are read.
WITH best_names AS (
  SELECT
    CASE WHEN startsWith(gefaltet, $term) THEN 1 WHEN match(gefaltet, $wordStart) THEN 2 ELSE 3 END AS matchRank,
    kw, nummer, groesste
  FROM suchnamen
  WHERE position(gefaltet, $term) > 0
    AND (NOT $onlyBeginnings OR (gefaltet >= $term AND gefaltet < $afterTerm))
    AND (NOT $onlyStates OR bundesland IN $states)
    AND (NOT $onlyCarriers OR einheitTyp IN $carriers)
  ORDER BY matchRank, kw DESC NULLS LAST, nummer
  LIMIT $limit
)
SELECT CAST(matchRank AS INTEGER) AS matchRank, CAST(einheit.nummer AS DOUBLE) AS digits
FROM (SELECT matchRank, arrayJoin(groesste) AS einheit FROM best_names)
ORDER BY matchRank, einheit.kw DESC NULLS LAST, einheit.nummer
LIMIT $limit
