-- Units of the version before that are no longer served, with their last row; and those that had left before.

INSERT INTO units_departed BY NAME
WITH
-- Listed as deleted or deactivated, or with that status in their own file.
erklaert AS (
  SELECT nummer FROM abgegangen
  UNION ALL
  SELECT EinheitMastrNummer FROM einheit WHERE EinheitSystemstatus_id IN (473, 572)
),
weg AS (
  SELECT *, {{sequence}} AS abgangSeit FROM vorige.units ANTI JOIN units USING (mastrNummer)
  UNION ALL BY NAME
  SELECT * EXCLUDE (abgangGrund) FROM vorige.units_departed ANTI JOIN units USING (mastrNummer)
)
SELECT
  {{sharedColumns}},
  -- The operator may have become a natural person since: its name is not carried on.
  NULL AS betreiberName,
  abgangSeit,
  CASE WHEN mastr_bits(mastrNummer) IN (FROM erklaert) THEN 'geloescht' ELSE 'verschwunden' END AS abgangGrund
FROM weg
ORDER BY mastrNummer;
