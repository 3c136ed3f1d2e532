-- Units by rank: the name begins with the term (1), a word of the name does (2), the name contains it (3). Within a rank,
-- larger units come first. `digits` are those of the unit's number.
-- The best units have the best names, so only the lists of those names are read.
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
