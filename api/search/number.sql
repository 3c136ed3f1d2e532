-- The unit that bears the number.
SELECT 0 AS guete, CAST(rowid AS INTEGER) AS einheit
FROM units
WHERE mastrNummer = $nummer
  AND ($bundesland IS NULL OR list_contains(CAST($bundesland AS VARCHAR[]), bundesland))
  AND ($einheitTyp IS NULL OR list_contains(CAST($einheitTyp AS VARCHAR[]), einheitTyp))
