-- The combinations of places keep the numbers that they had in any earlier version, so that the rows of units are right whenever they
-- were made; new ones get others.

CREATE OR REPLACE TABLE scratch.unit_regions AS
WITH known AS (
  SELECT DISTINCT region, bundesland, landkreis, gemeinde, gemeindeschluessel, plz FROM regionen_before
)
SELECT
  coalesce(
    known.region,
    (SELECT coalesce(max(region), 0) FROM regionen_before) + row_number() OVER (PARTITION BY known.region IS NULL ORDER BY now.region)
  )::INTEGER AS region,
  now.* EXCLUDE (region)
FROM unit_regions AS now
LEFT JOIN known
  ON known.bundesland IS NOT DISTINCT FROM now.bundesland
  AND known.landkreis IS NOT DISTINCT FROM now.landkreis
  AND known.gemeinde IS NOT DISTINCT FROM now.gemeinde
  AND known.gemeindeschluessel IS NOT DISTINCT FROM now.gemeindeschluessel
  AND known.plz IS NOT DISTINCT FROM now.plz;
