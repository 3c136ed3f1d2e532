-- The numbers of units for which flags are true and false. Few combinations of flags occur, so they are counted first.

INSERT INTO referenzwerte
WITH combinations AS MATERIALIZED (
  SELECT {{flagColumns}}, units.einheitTyp AS einheitTyp, count(*) AS anzahl {{from}} GROUP BY ALL
)
SELECT filter, wert, wert, CAST(einheitTyp AS VARCHAR), sum(anzahl)
FROM (
{{values}}
)
GROUP BY filter, wert, einheitTyp
ORDER BY filter, wert, einheitTyp;
