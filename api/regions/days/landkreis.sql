-- The days of a district: by its whole name; if no district has it, by name and state ("Name, Bundesland");
-- or by the first five digits of the municipality key. A name that several districts share selects all of them.
SELECT serie, einheitTyp, statusId, tag, anzahl, kw
FROM region_tage
WHERE region IN (
  SELECT region
  FROM regionen
  WHERE landkreis = $region
     OR (landkreis = $name AND bundesland = $bundesland
         AND NOT EXISTS (SELECT 1 FROM regionen WHERE landkreis = $region))
     OR left(gemeindeschluessel, 5) = $schluessel
)
