-- The values that a filter finds something with, and how often each carrier has them.

INSERT INTO referenzwerte
SELECT '{{filter}}', wert, falten(wert), einheitTyp, anzahl
FROM (
{{values}}
)
ORDER BY wert, einheitTyp;
