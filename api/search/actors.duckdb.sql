-- The market actors whose number is what is searched for (0), or whose names hold it: at the beginning (1), at that of a
-- word (2), anywhere (3), and behind them all the same of actors without units (4 to 6); among those the one with the most
-- units first. What they are is read of the best ones alone.
WITH beste AS (
  SELECT
    rowid AS zeile,
    CASE
      WHEN mastrNummer = $nummer THEN 0
      WHEN starts_with(gefaltet, $gesucht) THEN 1
      WHEN regexp_matches(gefaltet, $wortanfang) THEN 2
      ELSE 3
    END + CASE WHEN anlagenAnzahl > 0 OR mastrNummer = $nummer THEN 0 ELSE 3 END AS guete,
    anlagenAnzahl,
    mastrNummer
  FROM marktakteure
  WHERE (contains(gefaltet, $gesucht) OR mastrNummer = $nummer)
    AND (NOT $nurAnfang OR (gefaltet >= $gesucht AND gefaltet < $danach))
    AND (NOT $nurLaender OR list_contains(CAST($laender AS VARCHAR[]), bundesland))
  ORDER BY guete, anlagenAnzahl DESC, mastrNummer
  LIMIT $hoechstens
)
SELECT
  CAST(beste.guete AS INTEGER) AS guete,
  akteur.mastrNummer, akteur.name, akteur.marktfunktion, akteur.ort, akteur.bundesland, akteur.anlagenAnzahl
FROM beste JOIN marktakteure AS akteur ON akteur.rowid = beste.zeile
ORDER BY beste.guete, akteur.anlagenAnzahl DESC, akteur.mastrNummer
