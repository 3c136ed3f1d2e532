-- Units counted by one dimension: what is asked without a filter is answered from here.

INSERT INTO aggregationen
SELECT '{{dimension}}', CAST(schluessel AS VARCHAR), anzahl, kw, mitLeistung
FROM (
{{groups}}
)
ORDER BY ALL;
