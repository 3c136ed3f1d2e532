-- The places of one level, `{{level}}`, with the shortest spelling that covers each of them and nothing else: the name, the
-- name with its state, or the official key. What a spelling covers is the rule of sql/query/places.ts. A place that no
-- spelling covers alone is left out: a name without a key that also belongs to a place with one.

CREATE OR REPLACE TABLE scratch.spelled AS
SELECT
  region,
  {{level}} AS name,
  bundesland,
  CASE WHEN regexp_full_match(gemeindeschluessel, '[0-9]{{{digits}}}.{{{others}}}') THEN left(gemeindeschluessel, {{digits}}) END AS schluessel,
  -- A key tells a place from others by itself; only places without one need their name for that.
  CASE WHEN schluessel IS NULL THEN {{level}} END AS ownName,
  CASE WHEN schluessel IS NULL THEN bundesland END AS ownState,
  landkreis,
  units
FROM unit_regions
WHERE schluessel IS NOT NULL OR {{level}} IS NOT NULL;

CREATE OR REPLACE TABLE scratch.level_places AS
WITH
variants AS (
  SELECT schluessel, ownName, ownState, name, bundesland, min(landkreis) AS landkreis, sum(units) AS units, count(*) AS regions
  FROM spelled
  GROUP BY ALL
),
places AS (
  SELECT
    schluessel, ownName, ownState,
    first(name ORDER BY units DESC, name, bundesland) AS name,
    first(bundesland ORDER BY units DESC, name, bundesland) AS bundesland,
    min(landkreis) AS landkreis,
    count(DISTINCT name) = 1 AND bool_and(name <> '') IS TRUE AND count(*) = count(name) AS hasOneName,
    count(*) = 1 AND bool_and(bundesland IS NOT NULL) AS hasOneState,
    sum(regions) AS regions
  FROM variants
  GROUP BY schluessel, ownName, ownState
),
names AS (SELECT name, sum(regions) AS regions FROM variants GROUP BY name),
pairs AS (SELECT name, bundesland, sum(regions) AS regions FROM variants GROUP BY ALL),
with_spelling AS (
  SELECT
    places.*,
    CASE
      -- Digits like those of a key are read as a key.
      WHEN places.name = places.schluessel THEN places.schluessel
      WHEN hasOneName AND names.regions = places.regions AND NOT regexp_full_match(places.name, '[0-9]{{{digits}}}')
        THEN places.name
      WHEN hasOneName AND hasOneState AND pairs.regions = places.regions
        AND NOT contains(places.bundesland, ', ')
        AND concat(places.name, ', ', places.bundesland) NOT IN (SELECT name FROM names WHERE name IS NOT NULL)
        THEN concat(places.name, ', ', places.bundesland)
      ELSE places.schluessel
    END AS wert
  FROM places
  LEFT JOIN names ON names.name = places.name
  LEFT JOIN pairs ON pairs.name = places.name AND pairs.bundesland = places.bundesland
)
SELECT
  row_number() OVER (ORDER BY bundesland, landkreis, name, schluessel, wert)::INTEGER AS gebiet,
  *
FROM with_spelling
WHERE wert IS NOT NULL;

INSERT INTO gebiete
SELECT '{{level}}', gebiet, wert, schluessel, name, bundesland, fold_text(name) FROM level_places ORDER BY gebiet;

CREATE OR REPLACE TABLE scratch.{{level}}_of_region AS
SELECT region, gebiet
FROM spelled JOIN level_places
  ON level_places.schluessel IS NOT DISTINCT FROM spelled.schluessel
  AND level_places.ownName IS NOT DISTINCT FROM spelled.ownName
  AND level_places.ownState IS NOT DISTINCT FROM spelled.ownState;
