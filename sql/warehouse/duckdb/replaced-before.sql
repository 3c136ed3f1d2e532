-- The last rows of units that have returned, and rows that the builds of the last weeks replaced.

INSERT INTO units_ersetzt BY NAME
WITH changed_units AS (
  SELECT nummer FROM units WHERE inhaltSeit = {{sequence}}
)
-- Readers who had a unit before it departed may hold its last row.
SELECT {{sharedColumns}}, abgangSeit AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm
FROM previous_version.units_departed SEMI JOIN changed_units USING (nummer)
UNION ALL
SELECT {{sharedColumns}}, ersetztSeit, ersetztAm
FROM previous_version.units_ersetzt WHERE ersetztAm >= {{oldest}}
