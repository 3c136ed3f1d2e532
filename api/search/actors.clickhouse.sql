-- Market actors by rank: the number equals the term (0), the name begins with it (1), a word of the name does (2), the name
-- contains it (3), and then the same for actors without units (4 to 6). Within a rank, actors with more units come first.
SELECT
  CAST(
    CASE
      WHEN mastrNummer = $number THEN 0
      WHEN startsWith(gefaltet, $term) THEN 1
      WHEN match(gefaltet, $wordStart) THEN 2
      ELSE 3
    END + CASE WHEN anlagenAnzahl > 0 OR mastrNummer = $number THEN 0 ELSE 3 END
    AS INTEGER
  ) AS matchRank,
  mastrNummer, name, marktfunktion, ort, bundesland, anlagenAnzahl
FROM marktakteure
WHERE (position(gefaltet, $term) > 0 OR mastrNummer = $number)
  AND (NOT $onlyBeginnings OR (gefaltet >= $term AND gefaltet < $afterTerm))
  AND (NOT $onlyStates OR bundesland IN $states)
ORDER BY matchRank, anlagenAnzahl DESC, mastrNummer
LIMIT $limit
