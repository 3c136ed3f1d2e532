-- The days of one state, by its name.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw, {{kwh}} AS kwh
FROM bundesland_tage
WHERE bundesland = $region
