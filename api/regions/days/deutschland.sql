-- The days of the whole country.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw
FROM deutschland_tage
