-- The months of the whole country, each as its first day.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw, {{kwh}} AS kwh
FROM deutschland_monate
