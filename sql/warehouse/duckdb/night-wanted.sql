-- Finds which other records the units of `surrounding` need: these are copied to staged files of their own (ingest/night/night.ts).

CREATE TABLE scratch.wanted AS FROM ties SEMI JOIN surrounding USING (nummer);

CREATE TABLE scratch.wanted_locations AS
SELECT lokation FROM wanted WHERE lokation IS NOT NULL
UNION
SELECT andere FROM locations_of_point SEMI JOIN wanted USING (lokation);

-- Names of voltages and control areas are those of any point.
CREATE TABLE scratch.wanted_points AS
SELECT NetzanschlusspunktMastrNummer AS punkt, NetzbetreiberMaStRNummer AS netzbetreiber
FROM located_points WHERE location IN (FROM wanted_locations)
UNION
SELECT min(NetzanschlusspunktMastrNummer), NULL FROM punkt GROUP BY Spannungsebene_id, Spannungsebene
UNION
SELECT min(NetzanschlusspunktMastrNummer), NULL FROM punkt GROUP BY RegelzoneNetzanschlusspunkt_id, RegelzoneNetzanschlusspunkt;
