-- A slice of the search tables: the texts whose hash falls into it. Slices bound the memory of the lists.

INSERT INTO suchtexte
SELECT fold_text(text), list(nummer)
FROM (
  SELECT name AS text, nummer FROM units
  UNION ALL
  SELECT betreiberName, nummer FROM units
  UNION ALL
  SELECT windpark, nummer FROM units
  UNION ALL
  -- A word never spans two of them, as it holds no blank.
  SELECT concat_ws(' ', landkreis, gemeinde, ort, plz), nummer FROM units
)
WHERE text <> '' AND hash(text) % {{slices}} = {{slice}}
GROUP BY text;

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
