-- The records to which units refer, in the form in which units.sql joins them: one row for each number (EEG plants:
-- eeg-shared.sql; plants of storage: storage-plants.sql). A build of several slices writes each view once, split by the slices of the units that refer to it
-- (reference-slices.sql), so that no slice reads records of the others.

CREATE VIEW scratch.referenced_betreiber AS
SELECT MastrNummer AS nummer, CASE WHEN Personenart_id = 517 THEN Firmenname END AS name FROM akteur;

CREATE VIEW scratch.referenced_lokation AS
SELECT MastrNummer AS nummer, NetzanschlusspunkteMaStRNummern IS NOT NULL AS namesPoints FROM lokation;

-- The connection point of each location, with what it refers to.
CREATE VIEW scratch.referenced_anschluss AS
SELECT
  p.location,
  p.NetzanschlusspunktMastrNummer AS punkt,
  coalesce(p.NetzbetreiberMaStRNummer, operators_by_grid.nummer) AS netzbetreiberNummer,
  organisation.name AS netzbetreiber,
  spannung.name AS spannungsebene,
  gebiet.name AS bilanzierungsgebiet,
  coalesce(zone.name, gebiet.regelzone) AS regelzone
FROM located_points AS p
ANTI JOIN skipped_points USING (location, NetzanschlusspunktMastrNummer)
LEFT JOIN operators_by_grid ON operators_by_grid.netz = p.NetzMaStRNummer
LEFT JOIN organisation
  ON organisation.nummer = coalesce(p.NetzbetreiberMaStRNummer, operators_by_grid.nummer)
LEFT JOIN spannung ON spannung.id = p.Spannungsebene_id
LEFT JOIN gebiet ON gebiet.id = p.BilanzierungsgebietNetzanschlusspunktId
LEFT JOIN zone ON zone.id = p.RegelzoneNetzanschlusspunkt_id;
