-- Units counted by one dimension; queries without a filter are answered from here.

INSERT INTO aggregationen
SELECT '{{dimension}}', CAST(schluessel AS VARCHAR), anzahl, kw, mitLeistung, kwh
FROM (
{{groups}}
)
ORDER BY ALL;
