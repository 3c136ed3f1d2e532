-- Market actors by rank: the number equals the term (0), the name begins with it (1), a word of the name does (2), the name
-- contains it (3), and then the same for actors without units (4 to 6). Within a rank, actors with more units come first.
-- The remaining columns are read for the best actors only.
WITH best AS (
  SELECT
    rowid AS row_id,
    CASE
      WHEN mastrNummer = $number THEN 0
      WHEN starts_with(gefaltet, $term) THEN 1
      WHEN regexp_matches(gefaltet, $wordStart) THEN 2
      ELSE 3
    END + CASE WHEN anlagenAnzahl > 0 OR mastrNummer = $number THEN 0 ELSE 3 END AS matchRank,
    anlagenAnzahl,
    mastrNummer
  FROM marktakteure
  WHERE (contains(gefaltet, $term) OR mastrNummer = $number)
    AND (NOT $onlyBeginnings OR (gefaltet >= $term AND gefaltet < $afterTerm))
    AND (NOT $onlyStates OR list_contains(CAST($states AS VARCHAR[]), bundesland))
  ORDER BY matchRank, anlagenAnzahl DESC, mastrNummer
  LIMIT $limit
)
SELECT
  CAST(best.matchRank AS INTEGER) AS matchRank,
  akteur.mastrNummer, akteur.name, akteur.marktfunktion, akteur.ort, akteur.bundesland, akteur.anlagenAnzahl
FROM best JOIN marktakteure AS akteur ON akteur.rowid = best.row_id
ORDER BY best.matchRank, akteur.anlagenAnzahl DESC, akteur.mastrNummer
