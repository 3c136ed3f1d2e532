-- The official list of places, and of each key that a municipality has or had the municipality of the list.

CREATE OR REPLACE TABLE scratch.list AS
SELECT
  ags, name, TRY_CAST(einwohner AS INTEGER) AS einwohner, TRY_CAST(flaecheKm2 AS DECIMAL(18, 3)) AS flaecheKm2,
  gebietsstand::DATE AS gebietsstand, einwohnerAm::DATE AS einwohnerAm
FROM read_csv({{list}}, header = true, delim = ',', quote = '"', all_varchar = true);

INSERT INTO orte
WITH
places AS (SELECT * FROM list WHERE length(ags) = 8),
names (schluessel, name) AS (
  VALUES {{states}}
  UNION ALL
  SELECT ags, name FROM list WHERE length(ags) < 8
)
SELECT ags AS schluessel, name, einwohner, flaecheKm2, gebietsstand, einwohnerAm FROM places
UNION ALL
-- Common ground of several districts, and water, has a key but no district.
SELECT names.schluessel, any_value(names.name), sum(einwohner), sum(flaecheKm2), any_value(gebietsstand), any_value(einwohnerAm)
FROM names JOIN places ON starts_with(places.ags, names.schluessel)
GROUP BY names.schluessel
ORDER BY schluessel;

CREATE OR REPLACE TABLE scratch.listed AS
SELECT schluessel AS ags, schluessel AS ort FROM orte WHERE length(schluessel) = 8
UNION ALL
SELECT former.old_ags, former.current_ags
FROM read_csv({{former}}, header = true, delim = ',', all_varchar = true) AS former
JOIN orte ON orte.schluessel = former.current_ags
WHERE former.old_ags NOT IN (SELECT schluessel FROM orte);
