-- Rows that the builds of the last weeks replaced.

INSERT INTO units_ersetzt BY NAME
SELECT {{sharedColumns}}, ersetztSeit, ersetztAm
FROM previous_version.units_ersetzt WHERE ersetztAm >= {{oldest}}
