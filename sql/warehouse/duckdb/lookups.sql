-- The lookup tables of looked-up.sql: small tables, and the connection point of each location.

-- Only organisations keep their names.
CREATE TABLE scratch.organisation AS
SELECT MastrNummer AS nummer, Firmenname AS name
FROM akteur
WHERE Personenart_id = 517 AND Firmenname IS NOT NULL;

-- Before level 25.2 a connection point names its grid, and the grid operator names the grid.
CREATE TABLE scratch.operators_by_grid AS
SELECT netz, min(nummer) AS nummer
FROM (
  SELECT mastr_bits(trim(unnest(split_list(Netz)))) AS netz, MastrNummer AS nummer FROM akteur WHERE Netz IS NOT NULL
)
WHERE netz IS NOT NULL
GROUP BY netz;

CREATE TABLE scratch.gebiet AS
SELECT
  Id AS id,
  coalesce(BilanzierungsgebietNetzanschlusspunkt, Yeic) AS name,
  RegelzoneNetzanschlusspunkt AS regelzone
FROM bilanzierungsgebiet;

CREATE TABLE scratch.spannung AS
SELECT DISTINCT Spannungsebene_id AS id, Spannungsebene AS name FROM punkt WHERE Spannungsebene IS NOT NULL;

CREATE TABLE scratch.zone AS
SELECT DISTINCT RegelzoneNetzanschlusspunkt_id AS id, RegelzoneNetzanschlusspunkt AS name
FROM punkt WHERE RegelzoneNetzanschlusspunkt IS NOT NULL;

-- Locations of points that do not name their location themselves; every location lists its points.
CREATE TABLE scratch.point_locations AS
SELECT DISTINCT punkt.NetzanschlusspunktMastrNummer AS punkt, named_points.lokation
FROM (
  SELECT MastrNummer AS lokation, mastr_bits(unnest(split_list(NetzanschlusspunkteMaStRNummern))) AS nummer
  FROM lokation WHERE NetzanschlusspunkteMaStRNummern IS NOT NULL
) AS named_points
JOIN punkt ON punkt.NetzanschlusspunktMastrNummer = named_points.nummer AND punkt.LokationMaStRNummer IS NULL;

CREATE VIEW scratch.located_points AS
SELECT coalesce(punkt.LokationMaStRNummer, point_location.lokation) AS location, punkt.*
FROM punkt LEFT JOIN point_locations AS point_location ON point_location.punkt = punkt.NetzanschlusspunktMastrNummer;

-- Of several points of a location, one in operation wins, then the highest voltage (the smallest catalogue id, 348
-- extra-high to 354 low), then the smallest number. The others are skipped for this location only, since one of them may
-- be the best of another location.
CREATE TABLE scratch.skipped_points AS
WITH ambiguous AS (
  SELECT location FROM located_points WHERE location IS NOT NULL GROUP BY location HAVING count(*) > 1
)
SELECT location, NetzanschlusspunktMastrNummer
FROM (
  SELECT
    location,
    NetzanschlusspunktMastrNummer,
    row_number() OVER (
      PARTITION BY location
      ORDER BY coalesce(NochInPlanung, false), Spannungsebene_id NULLS LAST, NetzanschlusspunktMastrNummer
    ) AS row_rank
  FROM located_points
  WHERE location IN (SELECT location FROM ambiguous)
)
WHERE row_rank > 1;

-- Filled by looked-up.sql, slice by slice.
CREATE TABLE scratch.absent_units (nummer BIGINT);
