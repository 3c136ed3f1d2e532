-- Up to 1,000 units of each carrier, the same ones in every run: chosen by a hash of their numbers, so that requests are
-- made of values that occur, and rare carriers occur in them as well.
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
  QUALIFY row_number() OVER (PARTITION BY einheitTyp ORDER BY hash(mastrNummer), mastrNummer) <= 1000
)
ORDER BY mastrNummer
