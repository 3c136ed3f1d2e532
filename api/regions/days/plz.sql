-- The days of a postal code, or of all that begin with these digits.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw, {{kwh}} AS kwh
FROM region_tage
WHERE region IN (SELECT region FROM regionen WHERE left(plz, length($region)) = $region)
