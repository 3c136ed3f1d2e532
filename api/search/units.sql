-- Units by their rows. Up to 50 of them, the engine reads no more than the parts of the table that hold them.
SELECT
  CAST(rowid AS INTEGER) AS einheit,
  mastrNummer,
  name,
  betreiberName,
  ort,
  bundesland,
  CAST(latitude AS DOUBLE) AS latitude,
  CAST(longitude AS DOUBLE) AS longitude,
  einheitTyp,
  CAST(bruttoleistungKw AS DOUBLE) AS bruttoleistungKw
FROM units
WHERE rowid IN (SELECT CAST(unnest(CAST($zeilen AS VARCHAR[])) AS BIGINT))
