-- The combinations of places keep their numbers; new ones get others, so that the rows of units which have not changed are right.

CREATE OR REPLACE TABLE scratch.unit_regions AS
SELECT
  coalesce(
    known.region,
    (SELECT max(region) FROM previous_version.regionen) + row_number() OVER (PARTITION BY known.region IS NULL ORDER BY now.region)
  )::INTEGER AS region,
  now.* EXCLUDE (region)
FROM unit_regions AS now
LEFT JOIN previous_version.regionen AS known
  ON known.bundesland IS NOT DISTINCT FROM now.bundesland
  AND known.landkreis IS NOT DISTINCT FROM now.landkreis
  AND known.gemeinde IS NOT DISTINCT FROM now.gemeinde
  AND known.gemeindeschluessel IS NOT DISTINCT FROM now.gemeindeschluessel
  AND known.plz IS NOT DISTINCT FROM now.plz;
