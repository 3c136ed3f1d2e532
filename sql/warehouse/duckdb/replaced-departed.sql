-- The last rows of units that have returned. Readers who had a unit before it departed may hold its last row.

INSERT INTO units_ersetzt BY NAME
WITH changed_units AS (
  SELECT nummer FROM units WHERE gueltigSeit = {{sequence}}
)
SELECT {{sharedColumns}}, abgangSeit AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm, abgangGrund
FROM previous_version.units_departed SEMI JOIN changed_units USING (nummer)
