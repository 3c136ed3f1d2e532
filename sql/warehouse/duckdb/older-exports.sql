-- History of each unit in older exports (--backfill).

CREATE TABLE scratch.older_exports AS
SELECT
  mastrNummer,
  min(registrierung) AS ersteRegistrierung,
  arg_min(plantag, exportDay) AS ersterPlantag,
  min(exportDay) FILTER (plantag IS NOT NULL) AS ersterPlantagVom,
  arg_max(plantag, exportDay) AS letzterPlantag,
  max(exportDay) FILTER (plantag IS NOT NULL) AS letzterPlantagVom
FROM read_parquet([{{files}}])
GROUP BY mastrNummer
ORDER BY mastrNummer;
