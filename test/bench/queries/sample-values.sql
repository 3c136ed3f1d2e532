-- The values of the first of those units from which requests are made.
SELECT
  mastrNummer::VARCHAR AS mastrNummer,
  einheitTyp::VARCHAR AS einheitTyp,
  betriebsStatus::VARCHAR AS betriebsStatus,
  bundesland::VARCHAR AS bundesland,
  landkreis::VARCHAR AS landkreis,
  gemeinde::VARCHAR AS gemeinde,
  plz::VARCHAR AS plz,
  bruttoleistungKw::DOUBLE AS bruttoleistungKw,
  inbetriebnahmedatum::VARCHAR AS inbetriebnahmedatum,
  betreiberMastrNummer::VARCHAR AS betreiberMastrNummer,
  netzbetreiber::VARCHAR AS netzbetreiber,
  spannungsebene::VARCHAR AS spannungsebene,
  name::VARCHAR AS name,
  ort::VARCHAR AS ort,
  betreiberName::VARCHAR AS betreiberName
FROM units
WHERE mastrNummer IN (
  SELECT mastrNummer
  FROM units
  ORDER BY hash(mastrNummer), mastrNummer
  LIMIT $units
)
ORDER BY mastrNummer
