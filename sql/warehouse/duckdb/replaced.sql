-- Rows of a range of units that this build replaces.

INSERT INTO units_ersetzt BY NAME
WITH changed_units AS (
  SELECT nummer FROM units WHERE nummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}') AND gueltigSeit = {{sequence}}
)
SELECT {{sharedColumns}}, {{sequence}} AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm
FROM {{former}} SEMI JOIN changed_units USING (nummer)
WHERE nummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}')
