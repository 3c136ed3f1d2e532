-- The names whose hash falls into a part, each once with the largest of all its units: parts bound the memory of the lists.
-- Sorting a list is cheaper than a list in order, for which the engine sorts every unit by texts and capacity.
INSERT INTO suchnamen
SELECT gefaltet, einheitTyp, bundesland, groesste[1].kw, groesste[1].nummer, groesste
FROM (
  SELECT
    fold_text(name) AS gefaltet, einheitTyp, bundesland,
    list_transform(
      list_sort(list({
        unbekannt: bruttoleistungKw IS NULL,
        kleiner: coalesce(-bruttoleistungKw, 0)::DECIMAL(18, 3),
        nummer: nummer & 1099511627775
      }))[1:51],
      lambda unit: {nummer: unit.nummer, kw: CASE WHEN NOT unit.unbekannt THEN (-unit.kleiner)::DECIMAL(18, 3) END}
    ) AS groesste
  FROM units
  WHERE name <> '' AND hash(name) % {{parts}} = {{part}}
  GROUP BY name, einheitTyp, bundesland
)
ORDER BY gefaltet;
