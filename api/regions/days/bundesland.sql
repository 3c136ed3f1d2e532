-- The days of one state, by its name.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw
FROM bundesland_tage
WHERE bundesland = $region
