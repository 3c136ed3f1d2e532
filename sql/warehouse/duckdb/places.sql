-- The places of one level, `{{level}}`, with the shortest spelling that covers each of them and nothing else: the name, the
-- name with its state, or the official key. What a spelling covers is the rule of sql/query/places.ts. Units without a key
-- belong to the place that alone has their name in their state, or are a place of their own beside several such ones. A place
-- that no spelling covers alone is left out: a name without key and state that also belongs to others.

CREATE OR REPLACE TABLE scratch.spelled AS
WITH own_keys AS (
  SELECT
    *,
    {{level}} AS name,
    CASE WHEN regexp_full_match(gemeindeschluessel, '[0-9]{{{digits}}}.{{{others}}}') THEN left(gemeindeschluessel, {{digits}}) END AS ownKey
  FROM unit_regions
),
only_keys AS (
  SELECT name, bundesland, min(ownKey) AS onlyKey
  FROM own_keys
  WHERE ownKey IS NOT NULL AND name <> ''
  GROUP BY ALL
  HAVING count(DISTINCT ownKey) = 1
)
SELECT
  region,
  name,
  bundesland,
  coalesce(ownKey, onlyKey) AS schluessel,
  -- A key tells a place from others by itself; only places without one need their name for that.
  CASE WHEN schluessel IS NULL THEN name END AS ownName,
  CASE WHEN schluessel IS NULL THEN bundesland END AS ownState,
  landkreis,
  units
FROM own_keys LEFT JOIN only_keys USING (name, bundesland)
WHERE schluessel IS NOT NULL OR name IS NOT NULL;

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
      WHEN places.schluessel IS NOT NULL THEN places.schluessel
      WHEN places.name <> '' AND hasOneState THEN concat(places.name, ', ', places.bundesland, '{{withoutKey}}')
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

{{numbering}}

-- A district that is not on the list has become part of the one in which all of its municipalities lie.
INSERT INTO gebiete
WITH
lying AS (
  SELECT spelled.schluessel, min(left(listed.ort, {{digits}})) AS ort
  FROM spelled
  JOIN unit_regions USING (region)
  JOIN listed ON listed.ags = unit_regions.gemeindeschluessel
  GROUP BY ALL
  HAVING count(DISTINCT left(listed.ort, {{digits}})) = 1
)
SELECT '{{level}}', gebiet, wert, schluessel, level_places.name, bundesland, fold_text(level_places.name), coalesce(orte.schluessel, lying.ort)
FROM level_places
LEFT JOIN orte USING (schluessel)
LEFT JOIN lying USING (schluessel)
ORDER BY gebiet;

CREATE OR REPLACE TABLE scratch.{{level}}_of_region AS
SELECT region, gebiet
FROM spelled JOIN level_places
  ON level_places.schluessel IS NOT DISTINCT FROM spelled.schluessel
  AND level_places.ownName IS NOT DISTINCT FROM spelled.ownName
  AND level_places.ownState IS NOT DISTINCT FROM spelled.ownState;
