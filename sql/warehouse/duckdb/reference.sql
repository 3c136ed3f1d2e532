-- The values of a filter that some unit has, with their number of units by carrier.

INSERT INTO referenzwerte
SELECT '{{filter}}', wert, fold_text(gesucht), einheitTyp, anzahl
FROM (
{{values}}
)
ORDER BY wert, einheitTyp;
