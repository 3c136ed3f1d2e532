-- The conspicuous units of a region, in groups of those that count on the same days.
SELECT
  CAST(units.einheitTyp AS VARCHAR) AS einheitTyp,
  CAST(units.statusId AS DOUBLE) AS statusId,
  {{inbetriebnahme}} AS inbetriebnahme,
  {{stilllegung}} AS stilllegung,
  {{planung}} AS planung,
  CAST(units.energietraeger AS VARCHAR) AS registerEnergietraeger,
  CAST(count(*) AS DOUBLE) AS anzahl,
  CAST(sum(coalesce(units.bruttoleistungKw, 0)) AS DOUBLE) AS kw,
  CAST(sum(coalesce(units.speicherkapazitaetAnteilKwh, 0)) AS DOUBLE) AS kwh
FROM units_auffaellig AS units
WHERE units.region IN (SELECT region FROM regionen{{where}}){{among}}
GROUP BY 1, 2, 3, 4, 5, 6
