-- Units of the previous version that are no longer served (`absent_units`, filled by looked-up.sql), with their last row; and those
-- that had departed earlier.

-- Up to this number, the engine skips whatever has none of the rows that are looked up.
SET dynamic_or_filter_threshold = 1000;

INSERT INTO units_departed BY NAME
WITH
-- Listed as deleted or deactivated, or with that status in their own file.
declared_departures AS (
  SELECT nummer FROM deleted_units
  UNION ALL
  SELECT nummer FROM unserved_units WHERE befund = 'geloescht_oder_deaktiviert'
),
departed AS (
  SELECT
    -- Their row stays as it is from now on.
    * REPLACE (last_planned_on(u, (SELECT exportDay FROM previous_version.dataset)) AS letzterPlantagVom),
    {{sequence}} AS abgangSeit
  FROM previous_version.units AS u
  WHERE {{isAbsent}}
  UNION ALL BY NAME
  SELECT * EXCLUDE (abgangGrund) FROM previous_version.units_departed SEMI JOIN absent_units USING (nummer)
)
SELECT
  {{sharedColumns}},
  -- The operator may have become a natural person since, so its name is not carried over.
  NULL AS betreiberName,
  abgangSeit,
  CASE WHEN nummer IN (FROM declared_departures) THEN 'geloescht' ELSE 'verschwunden' END AS abgangGrund
FROM departed
ORDER BY nummer;

RESET dynamic_or_filter_threshold;
