-- Former rows that shall be forgotten: of these units, or of these operators. What they are called today is the register's.

CREATE TABLE scratch.erasures AS
SELECT nummer FROM read_csv({{file}}, header = true, delim = ',', all_varchar = true);

CREATE TABLE scratch.erased AS
WITH former AS (
  SELECT nummer, betreiberMastrNummer, ersetztSeit AS ende FROM previous_version.units_ersetzt
  UNION ALL
  SELECT nummer, betreiberMastrNummer, abgangSeit FROM previous_version.units_departed
  UNION ALL
  SELECT nummer, betreiberMastrNummer, {{sequence}} FROM previous_version.units
)
SELECT DISTINCT nummer, ende FROM former
WHERE betreiberMastrNummer IN (FROM erasures) OR nummer IN (SELECT mastr_bits(nummer) FROM erasures);

DELETE FROM units_ersetzt WHERE (nummer, ersetztSeit) IN (FROM erased);
DELETE FROM units_departed WHERE (nummer, abgangSeit) IN (FROM erased);
DELETE FROM akteurnamen WHERE mastrNummer IN (FROM erasures);

INSERT INTO zusatztabellen
SELECT 'erasures', (SELECT count(*) FROM erasures), (SELECT count(*) FROM erased);
