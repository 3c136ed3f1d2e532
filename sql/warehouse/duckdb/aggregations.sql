-- Units counted by one dimension; queries without a filter are answered from here.

INSERT INTO aggregationen
SELECT '{{dimension}}', CAST(schluessel AS VARCHAR), anzahl, kw, mitLeistung
FROM (
{{groups}}
)
ORDER BY ALL;
