-- The days of a municipality: by its whole name; where nothing bears that, by name and state ("Name, Bundesland");
-- or by the municipality key. A name that several bear covers all of them.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw
FROM region_tage
WHERE region IN (
  SELECT region
  FROM regionen
  WHERE gemeinde = $region
     OR (gemeinde = $name AND bundesland = $bundesland
         AND NOT EXISTS (SELECT 1 FROM regionen WHERE gemeinde = $region))
     OR gemeindeschluessel = $schluessel
)
