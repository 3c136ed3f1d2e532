-- Rows that this build replaces, and those that the builds of the last weeks have.

INSERT INTO units_ersetzt BY NAME
WITH geaendert AS (
  SELECT mastrNummer FROM units WHERE inhaltSeit = {{sequence}}
)
SELECT {{sharedColumns}}, {{sequence}} AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm
FROM vorige.units SEMI JOIN geaendert USING (mastrNummer)
UNION ALL
-- A unit that has returned: readers who had it before it left may hold its last row.
SELECT {{sharedColumns}}, abgangSeit, DATE '{{exportDay}}'
FROM vorige.units_departed SEMI JOIN geaendert USING (mastrNummer)
UNION ALL
SELECT {{sharedColumns}}, ersetztSeit, ersetztAm
FROM vorige.units_ersetzt WHERE ersetztAm >= {{oldest}};
