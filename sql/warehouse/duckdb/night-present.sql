-- The rows that were computed for the affected units, attached as `computed`, with the places of the version. What was computed for units
-- around them may lack what is around these again, so it is left.

CREATE TABLE replaced.present AS
SELECT one.* REPLACE (place.region AS region, place.landkreisgebiet AS landkreisgebiet, place.gemeindegebiet AS gemeindegebiet)
FROM computed.units AS one
SEMI JOIN affected USING (nummer)
-- Places have other numbers there.
JOIN computed.regionen AS own ON own.region = one.region
JOIN regionen AS place
  ON place.bundesland IS NOT DISTINCT FROM own.bundesland
  AND place.landkreis IS NOT DISTINCT FROM own.landkreis
  AND place.gemeinde IS NOT DISTINCT FROM own.gemeinde
  AND place.gemeindeschluessel IS NOT DISTINCT FROM own.gemeindeschluessel
  AND place.plz IS NOT DISTINCT FROM own.plz;

CREATE VIEW scratch.present_units AS FROM replaced.present;
