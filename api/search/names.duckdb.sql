-- The units whose names hold what is searched for, best first: at the beginning of the name (1), of a word (2), anywhere
-- (3); among those the largest. `digits` are those of the unit's number.
-- The best units are among those of the best names, so only the lists of these are read.
WITH namen AS (
  SELECT
    rowid AS zeile,
    CASE WHEN starts_with(gefaltet, $gesucht) THEN 1 WHEN regexp_matches(gefaltet, $wortanfang) THEN 2 ELSE 3 END AS guete,
    kw, nummer
  FROM suchnamen
  WHERE contains(gefaltet, $gesucht)
    AND (NOT $nurAnfang OR (gefaltet >= $gesucht AND gefaltet < $danach))
    AND (NOT $nurLaender OR list_contains(CAST($laender AS VARCHAR[]), bundesland))
    AND (NOT $nurTraeger OR list_contains(CAST($traeger AS VARCHAR[]), einheitTyp))
  ORDER BY guete, kw DESC NULLS LAST, nummer
  LIMIT $hoechstens
)
SELECT CAST(guete AS INTEGER) AS guete, CAST(unit.nummer AS DOUBLE) AS digits
FROM (
  SELECT namen.guete, unnest(suchnamen.groesste) AS unit
  FROM namen JOIN suchnamen ON suchnamen.rowid = namen.zeile
)
ORDER BY guete, unit.kw DESC NULLS LAST, unit.nummer
LIMIT $hoechstens
