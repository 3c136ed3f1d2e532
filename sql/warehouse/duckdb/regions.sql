-- The combinations of places, with the places of both levels.

INSERT INTO regionen
SELECT
  region, bundesland, landkreis, gemeinde, gemeindeschluessel, plz,
  landkreis_of_region.gebiet,
  gemeinde_of_region.gebiet
FROM unit_regions
LEFT JOIN landkreis_of_region USING (region)
LEFT JOIN gemeinde_of_region USING (region)
ORDER BY region;
