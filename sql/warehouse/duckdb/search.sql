-- A slice of the search tables: the texts of a range of units. Slices bound the memory of the lists. A text comes once for
-- each slice and kind of text that has it.

INSERT INTO suchtexte
SELECT fold_text(name), list(nummer) FROM units WHERE name <> '' AND {{inSlice}} GROUP BY name;

INSERT INTO suchtexte
SELECT fold_text(betreiberName), list(nummer) FROM units WHERE betreiberName <> '' AND {{inSlice}} GROUP BY betreiberName;

INSERT INTO suchtexte
SELECT fold_text(windpark), list(nummer) FROM units WHERE windpark <> '' AND {{inSlice}} GROUP BY windpark;

-- A word never spans two of them, as it holds no blank.
INSERT INTO suchtexte
SELECT fold_text(text), einheiten
FROM (
  SELECT concat_ws(' ', landkreis, gemeinde, ort, plz) AS text, einheiten
  FROM (SELECT region, ort, list(nummer) AS einheiten FROM units WHERE {{inSlice}} GROUP BY region, ort)
  JOIN regionen USING (region)
)
WHERE text <> '';

-- A name comes once, with the largest of all its units, so a slice has the names whose hash falls into it.
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
  WHERE name <> '' AND hash(name) % {{slices}} = {{slice}}
  GROUP BY name, einheitTyp, bundesland
)
ORDER BY gefaltet;
