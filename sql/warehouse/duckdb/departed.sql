-- Units of the previous version that are no longer served, with their last row; and those that had departed earlier.

INSERT INTO units_departed BY NAME
WITH
-- Listed as deleted or deactivated, or with that status in their own file.
declared_departures AS (
  SELECT nummer FROM deleted_units
  UNION ALL
  SELECT EinheitMastrNummer FROM einheit WHERE EinheitSystemstatus_id IN (473, 572)
),
departed AS (
  SELECT *, {{sequence}} AS abgangSeit FROM previous_version.units ANTI JOIN units USING (mastrNummer)
  UNION ALL BY NAME
  SELECT * EXCLUDE (abgangGrund) FROM previous_version.units_departed ANTI JOIN units USING (mastrNummer)
)
SELECT
  {{sharedColumns}},
  -- The operator may have become a natural person since, so its name is not carried over.
  NULL AS betreiberName,
  abgangSeit,
  CASE WHEN mastr_bits(mastrNummer) IN (FROM declared_departures) THEN 'geloescht' ELSE 'verschwunden' END AS abgangGrund
FROM departed
ORDER BY mastrNummer;
