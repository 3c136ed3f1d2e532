-- So do the places of a level. One with a key is the same whatever its name.
CREATE OR REPLACE TABLE scratch.level_places AS
SELECT
  coalesce(
    known.gebiet,
    (SELECT max(gebiet) FROM previous_version.gebiete WHERE ebene = '{{level}}')
      + row_number() OVER (PARTITION BY known.gebiet IS NULL ORDER BY now.gebiet)
  )::INTEGER AS gebiet,
  now.* EXCLUDE (gebiet)
FROM level_places AS now
LEFT JOIN (FROM previous_version.gebiete WHERE ebene = '{{level}}') AS known
  ON known.schluessel IS NOT DISTINCT FROM now.schluessel
  AND (known.schluessel IS NOT NULL OR known.name IS NOT DISTINCT FROM now.ownName AND known.bundesland IS NOT DISTINCT FROM now.ownState);
