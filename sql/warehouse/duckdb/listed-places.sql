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
),
sums AS (
  SELECT left(ags, digits::INTEGER) AS schluessel, sum(einwohner) AS einwohner, sum(flaecheKm2) AS flaecheKm2
  FROM places, unnest([2, 5]) AS levels (digits)
  GROUP BY ALL
)
SELECT ags AS schluessel, name, einwohner, flaecheKm2, gebietsstand, einwohnerAm FROM places
UNION ALL
-- Common ground of several districts, and water, has a key but no district.
SELECT schluessel, names.name, sums.einwohner, sums.flaecheKm2, days.gebietsstand, days.einwohnerAm
FROM sums JOIN names USING (schluessel), (SELECT any_value(gebietsstand) AS gebietsstand, any_value(einwohnerAm) AS einwohnerAm FROM places) AS days
ORDER BY schluessel;

CREATE OR REPLACE TABLE scratch.listed AS
SELECT schluessel AS ags, schluessel AS ort FROM orte WHERE length(schluessel) = 8
UNION ALL
SELECT former.old_ags, former.current_ags
FROM read_csv({{former}}, header = true, delim = ',', all_varchar = true) AS former
JOIN orte ON orte.schluessel = former.current_ags
WHERE former.old_ags NOT IN (SELECT schluessel FROM orte);
