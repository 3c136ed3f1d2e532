-- The days of the whole country.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw
FROM bundesland_tage
