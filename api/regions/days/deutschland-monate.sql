-- The months of the whole country, each as its first day.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw
FROM deutschland_monate
