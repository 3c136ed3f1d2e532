-- A slice of the texts of the filter suche: those of a range of units. Slices bound the memory of the lists. A text comes once
-- for each slice and kind of text that has it.

INSERT INTO {{texts}}
SELECT fold_text(name), list(nummer) FROM {{units}} WHERE name <> '' AND {{inSlice}} GROUP BY name;

INSERT INTO {{texts}}
SELECT fold_text(betreiberName), list(nummer) FROM {{units}} WHERE betreiberName <> '' AND {{inSlice}} GROUP BY betreiberName;

INSERT INTO {{texts}}
SELECT fold_text(windpark), list(nummer) FROM {{units}} WHERE windpark <> '' AND {{inSlice}} GROUP BY windpark;

-- A word never spans two of them, as it holds no blank.
INSERT INTO {{texts}}
SELECT fold_text(text), einheiten
FROM (
  SELECT concat_ws(' ', landkreis, gemeinde, ort, plz) AS text, einheiten
  FROM (SELECT region, ort, list(nummer) AS einheiten FROM {{units}} WHERE {{inSlice}} GROUP BY region, ort)
  JOIN {{regions}} USING (region)
)
WHERE text <> '';
