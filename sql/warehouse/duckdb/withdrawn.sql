-- Deltas from the version {{version}}, attached as `withdrawn_version`, need more than the units that have changed: its rows of units
-- that are served here, and those of units that are not (withdrawn-units.sql).

CREATE OR REPLACE TABLE scratch.differing AS
SELECT nummer FROM withdrawn_units WHERE version = {{version}} AND served;

INSERT INTO units_ersetzt BY NAME
SELECT {{sharedColumns}}, {{sequence}} AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm
FROM withdrawn_version.units SEMI JOIN differing USING (nummer) SEMI JOIN units USING (nummer);

-- Units that had left before, and were back there: they leave once more. Their last row ended when they left first, so it is kept as one
-- that was replaced.
INSERT INTO units_ersetzt BY NAME
SELECT * EXCLUDE (abgangSeit), abgangSeit AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm
FROM units_departed WHERE abgangSeit < {{sequence}} AND nummer IN (FROM differing);

DELETE FROM units_departed WHERE abgangSeit < {{sequence}} AND nummer IN (FROM differing);

INSERT INTO units_departed BY NAME
SELECT {{sharedColumns}}, {{sequence}} AS abgangSeit, 'zurueckgenommen' AS abgangGrund
FROM (
  SELECT * REPLACE (last_planned_on(u, (SELECT exportDay FROM withdrawn_version.dataset)) AS letzterPlantagVom)
  FROM withdrawn_version.units AS u
)
SEMI JOIN differing USING (nummer)
ANTI JOIN units USING (nummer)
WHERE nummer NOT IN (SELECT nummer FROM units_departed);

INSERT INTO vorgaenger SELECT version, sequence, anker FROM withdrawn_versions WHERE version = {{version}};
