-- Rows of a range of units that this build replaces.

INSERT INTO units_ersetzt BY NAME
WITH changed_units AS (
  SELECT mastrNummer FROM units WHERE mastrNummer BETWEEN '{{from}}' AND '{{to}}' AND inhaltSeit = {{sequence}}
)
SELECT {{sharedColumns}}, {{sequence}} AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm
FROM previous_version.units SEMI JOIN changed_units USING (mastrNummer)
WHERE mastrNummer BETWEEN '{{from}}' AND '{{to}}'
