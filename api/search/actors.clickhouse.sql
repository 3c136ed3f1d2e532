-- The market actors whose number is what is searched for (0), or whose names hold it: at the beginning (1), at that of a
-- word (2), anywhere (3), and behind them all the same of actors without units (4 to 6); among those the one with the most
-- units first.
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
