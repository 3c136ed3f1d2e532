-- The units that are served with coordinates (sql/catalogue/base-fields.ts), with what the rules of plausibility compare them with.

SELECT
  EinheitMastrNummer,
  Laengengrad::DOUBLE,
  Breitengrad::DOUBLE,
  municipality_key(Gemeindeschluessel),
  Ort
FROM served_units
WHERE Bruttoleistung >= 30 AND ab30Kw AND Laengengrad IS NOT NULL AND Breitengrad IS NOT NULL
