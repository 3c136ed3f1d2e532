-- Counts the former rows that have lost what is personal: those of the version before that still had it, and those that this build has
-- made. What operators and units are called today is the register's.

DELETE FROM akteurnamen WHERE mastrNummer IN (SELECT nummer FROM loeschungen);

CREATE TABLE scratch.erased AS
WITH former AS (
  SELECT nummer, betreiberMastrNummer FROM previous_version.units_ersetzt
  UNION ALL
  SELECT nummer, betreiberMastrNummer FROM previous_version.units_departed
  UNION ALL
  SELECT nummer, betreiberMastrNummer FROM previous_version.units
  WHERE nummer IN (
    SELECT nummer FROM units_ersetzt WHERE ersetztSeit = {{sequence}}
    UNION ALL
    SELECT nummer FROM units_departed WHERE abgangSeit = {{sequence}}
  )
)
SELECT one.nummer, count(*) AS zeilen
FROM loeschungen AS one
JOIN former ON former.betreiberMastrNummer = one.nummer OR former.nummer = mastr_bits(one.nummer)
-- A row that has lost its operator was counted before.
WHERE former.betreiberMastrNummer IS NOT NULL
GROUP BY one.nummer;

UPDATE loeschungen SET zeilen =
  coalesce((SELECT known.zeilen FROM {{known}} AS known WHERE known.nummer = loeschungen.nummer), 0)
  + coalesce((SELECT erased.zeilen FROM erased WHERE erased.nummer = loeschungen.nummer), 0);
