-- The days of the whole country.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw, {{kwh}} AS kwh
FROM deutschland_tage
