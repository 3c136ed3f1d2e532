-- The market actors whose number is what is searched for (0), or whose names hold it: at the beginning (1), at that of a
-- word (2), anywhere (3), and behind them all the same of actors without units (4 to 6); among those the one with the most
-- units first. What they are is read of the best ones alone.
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
