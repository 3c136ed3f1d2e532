-- The market actors whose number is what is searched for (0), or whose names hold it: at the beginning (1), at that of a
-- word (2), anywhere (3), and behind them all the same of actors without units (4 to 6); among those the one with the most
-- units first.
SELECT
  CAST(
    CASE
      WHEN mastrNummer = $nummer THEN 0
      WHEN startsWith(gefaltet, $gesucht) THEN 1
      WHEN match(gefaltet, $wortanfang) THEN 2
      ELSE 3
    END + CASE WHEN anlagenAnzahl > 0 OR mastrNummer = $nummer THEN 0 ELSE 3 END
    AS INTEGER
  ) AS guete,
  mastrNummer, name, marktfunktion, ort, bundesland, anlagenAnzahl
FROM marktakteure
WHERE (position(gefaltet, $gesucht) > 0 OR mastrNummer = $nummer)
  AND (NOT $nurAnfang OR (gefaltet >= $gesucht AND gefaltet < $danach))
  AND (NOT $nurLaender OR bundesland IN $laender)
ORDER BY guete, anlagenAnzahl DESC, mastrNummer
LIMIT $hoechstens
