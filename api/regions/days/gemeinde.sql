-- The days of a municipality: by its whole name; if no municipality has it, by name and state ("Name, Bundesland");
-- or by the municipality key. A name that several municipalities share selects all of them.
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
