-- So do the places of a level. One with a key is the same whatever its name.
CREATE OR REPLACE TABLE scratch.level_places AS
WITH known AS (
  FROM gebiete_before
  WHERE ebene = '{{level}}'
  QUALIFY row_number() OVER (
    PARTITION BY schluessel, CASE WHEN schluessel IS NULL THEN {'name': name, 'bundesland': bundesland} END ORDER BY seit DESC, gebiet
  ) = 1
)
SELECT
  coalesce(
    known.gebiet,
    (SELECT coalesce(max(gebiet), 0) FROM gebiete_before WHERE ebene = '{{level}}')
      + row_number() OVER (PARTITION BY known.gebiet IS NULL ORDER BY now.gebiet)
  )::INTEGER AS gebiet,
  now.* EXCLUDE (gebiet)
FROM level_places AS now
LEFT JOIN known
  ON known.schluessel IS NOT DISTINCT FROM now.schluessel
  AND (known.schluessel IS NOT NULL OR known.name IS NOT DISTINCT FROM now.ownName AND known.bundesland IS NOT DISTINCT FROM now.ownState);
