-- The conspicuous units of a region, with what decides on which days they count.
SELECT
  CAST(units.einheitTyp AS VARCHAR) AS einheitTyp,
  CAST(units.statusId AS DOUBLE) AS statusId,
  {{inbetriebnahme}} AS inbetriebnahme,
  {{stilllegung}} AS stilllegung,
  {{planung}} AS planung,
  CAST(coalesce(units.bruttoleistungKw, 0) AS DOUBLE) AS kw,
  CAST(coalesce(units.speicherkapazitaetAnteilKwh, 0) AS DOUBLE) AS kwh,
  CAST(units.energietraeger AS VARCHAR) AS registerEnergietraeger
FROM units_auffaellig AS units
WHERE units.region IN (SELECT region FROM regionen{{where}}){{among}}
