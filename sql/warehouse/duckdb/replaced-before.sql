-- Rows that earlier builds replaced.

INSERT INTO units_ersetzt BY NAME
SELECT {{sharedColumns}}, ersetztSeit, ersetztAm{{reason}}
FROM previous_version.units_ersetzt
