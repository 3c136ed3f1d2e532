-- The units whose names hold what is searched for, best first: at the beginning of the name (1), of a word (2), anywhere
-- (3); among those the largest. `digits` are those of the unit's number.
-- The best units are among those of the best names, so only the lists of these are read.
WITH namen AS (
  SELECT
    CASE WHEN startsWith(gefaltet, $gesucht) THEN 1 WHEN match(gefaltet, $wortanfang) THEN 2 ELSE 3 END AS guete,
    kw, nummer, groesste
  FROM suchnamen
  WHERE position(gefaltet, $gesucht) > 0
    AND (NOT $nurAnfang OR (gefaltet >= $gesucht AND gefaltet < $danach))
    AND (NOT $nurLaender OR bundesland IN $laender)
    AND (NOT $nurTraeger OR einheitTyp IN $traeger)
  ORDER BY guete, kw DESC NULLS LAST, nummer
  LIMIT $hoechstens
)
SELECT CAST(guete AS INTEGER) AS guete, CAST(einheit.nummer AS DOUBLE) AS digits
FROM (SELECT guete, arrayJoin(groesste) AS einheit FROM namen)
ORDER BY guete, einheit.kw DESC NULLS LAST, einheit.nummer
LIMIT $hoechstens
