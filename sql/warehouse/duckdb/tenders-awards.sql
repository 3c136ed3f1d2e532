-- The awards of the lists, with what the register knows of the units that are linked to them: their numbers, the place where a
-- list has none, and the coordinates. What a list says of a place stays as published: awards may move.

CREATE TABLE scratch.linked_units AS
SELECT
  zuschlag,
  einheit,
  sicherheit,
  units.mastrNummer,
  units.eegMastrNummer,
  units.bruttoleistungKw,
  units.bundesland,
  units.landkreis,
  units.plz,
  units.gemeinde,
  units.latitude,
  units.longitude,
  coalesce(units.bundesland = listed_awards.bundesland, true) AS sameState,
  -- The places agree wherever both sides name one, and at least once unless the list names none.
  CASE
    WHEN units.bundesland <> listed_awards.bundesland
      OR place_key(units.landkreis) <> place_key(listed_awards.landkreis)
      OR place_key(units.gemeinde) <> place_key(listed_awards.gemeinde)
      OR units.plz <> listed_awards.plz THEN false
    WHEN coalesce(listed_awards.landkreis, listed_awards.gemeinde, listed_awards.plz, listed_awards.gemarkung) IS NULL THEN true
    ELSE coalesce(place_key(units.landkreis) = place_key(listed_awards.landkreis), false)
      OR coalesce(place_key(units.gemeinde) = place_key(listed_awards.gemeinde), false)
      OR coalesce(units.plz = listed_awards.plz, false)
  END AS samePlace
FROM zuschlag_einheiten
JOIN units ON units.nummer = einheit
JOIN listed_awards ON listed_awards.id = zuschlag;

-- The unit that stands for the place of an award: one where the award was published to be, rather than one it moved to.
CREATE TABLE scratch.award_sites AS
SELECT * FROM linked_units
QUALIFY row_number() OVER (
  PARTITION BY zuschlag
  ORDER BY samePlace DESC, sameState DESC, sicherheit, latitude IS NULL, bruttoleistungKw DESC NULLS LAST, einheit
) = 1;

CREATE TABLE scratch.placed_awards AS
SELECT
  listed_awards.* REPLACE (
    CASE WHEN fills THEN coalesce(listed_awards.bundesland, site.bundesland) ELSE listed_awards.bundesland END AS bundesland,
    CASE WHEN fills THEN coalesce(listed_awards.landkreis, site.landkreis) ELSE listed_awards.landkreis END AS landkreis,
    CASE WHEN fills THEN coalesce(listed_awards.plz, site.plz) ELSE listed_awards.plz END AS plz,
    CASE WHEN fills THEN coalesce(listed_awards.gemeinde, site.gemeinde) ELSE listed_awards.gemeinde END AS gemeinde
  ),
  site.latitude,
  site.longitude,
  -- Something was missing, and the unit had it.
  coalesce(fills, false) AND (
    listed_awards.bundesland IS NULL AND site.bundesland IS NOT NULL
    OR listed_awards.landkreis IS NULL AND site.landkreis IS NOT NULL
    OR listed_awards.plz IS NULL AND site.plz IS NOT NULL
    OR listed_awards.gemeinde IS NULL AND site.gemeinde IS NOT NULL
  ) AS filled
FROM listed_awards
LEFT JOIN (SELECT *, samePlace AS fills FROM award_sites) AS site ON site.zuschlag = listed_awards.id;

-- The middles of places, over units with coordinates that are served; never over so few that it tells where one of them is.
CREATE TABLE scratch.wanted_places AS
SELECT id, bundesland, ebene, ort
FROM (
  SELECT
    id, bundesland, place_key(gemarkung) AS GEMARKUNG, place_key(gemeinde) AS GEMEINDE, place_key(landkreis) AS LANDKREIS
  FROM placed_awards WHERE latitude IS NULL
)
UNPIVOT (ort FOR ebene IN (GEMARKUNG, GEMEINDE, LANDKREIS));

CREATE TABLE scratch.middles AS
WITH
-- Few names of places, so that each is written in the form of both sides once.
names AS (
  SELECT DISTINCT 'GEMEINDE' AS ebene, bundesland, gemeinde AS name, place_key(gemeinde) AS ort FROM regionen WHERE gemeinde IS NOT NULL
  UNION ALL
  SELECT DISTINCT 'LANDKREIS', bundesland, landkreis, place_key(landkreis) FROM regionen WHERE landkreis IS NOT NULL
),
wanted_names AS (
  SELECT names.* FROM names SEMI JOIN wanted_places ON wanted_places.ebene = names.ebene AND wanted_places.ort = names.ort
),
located AS MATERIALIZED (
  SELECT nummer, bundesland, landkreis, gemeinde, latitude, longitude FROM units WHERE latitude IS NOT NULL
),
points AS (
  SELECT 'GEMEINDE' AS ebene, located.bundesland, ort, latitude, longitude
  FROM located JOIN wanted_names ON ebene = 'GEMEINDE' AND name = gemeinde AND wanted_names.bundesland = located.bundesland
  UNION ALL
  SELECT 'LANDKREIS', located.bundesland, ort, latitude, longitude
  FROM located JOIN wanted_names ON ebene = 'LANDKREIS' AND name = landkreis AND wanted_names.bundesland = located.bundesland
  UNION ALL
  SELECT 'GEMARKUNG', located.bundesland, place_key(gemarkung) AS ort, latitude, longitude
  FROM tender_units JOIN located ON nummer = einheit
  WHERE place_key(gemarkung) IN (SELECT ort FROM wanted_places WHERE ebene = 'GEMARKUNG')
)
SELECT ebene, bundesland, ort, round(avg(latitude), 4) AS latitude, round(avg(longitude), 4) AS longitude
FROM points
GROUP BY ALL
HAVING count(*) >= 3;

-- A name alone is a place only where no other state has it.
CREATE TABLE scratch.named_middles AS
SELECT ebene, ort, any_value(bundesland) AS bundesland FROM middles GROUP BY ebene, ort HAVING count(*) = 1;

INSERT INTO zuschlaege BY NAME
WITH
middle_of AS (
  SELECT id, ebene, middles.latitude, middles.longitude
  FROM wanted_places
  JOIN middles USING (ebene, ort)
  LEFT JOIN named_middles USING (ebene, ort)
  WHERE coalesce(middles.bundesland = wanted_places.bundesland, named_middles.bundesland = middles.bundesland)
  QUALIFY row_number() OVER (
    PARTITION BY id ORDER BY list_position(['GEMARKUNG', 'GEMEINDE', 'LANDKREIS'], ebene), middles.bundesland
  ) = 1
),
linked AS (
  SELECT
    zuschlag,
    list(DISTINCT mastrNummer) AS units,
    list(DISTINCT eegMastrNummer) FILTER (eegMastrNummer IS NOT NULL) AS plants
  FROM linked_units GROUP BY zuschlag
),
numbered AS (
  SELECT
    placed_awards.*,
    list_sort(list_distinct(list_concat(coalesce(mastrNummern, []), coalesce(linked.units, [])))) AS allUnits,
    list_sort(list_filter(coalesce(linked.plants, []), lambda one: NOT list_contains(coalesce(foerderNummern, []), one))) AS derived
  FROM placed_awards LEFT JOIN linked ON linked.zuschlag = placed_awards.id
)
SELECT
  id, gebotstermin, zuschlagsnummer, gebotsmengeKw, bundesland, landkreis, plz, gemeinde, gemarkung, flurstueck, flurstueckRoh,
  nullif(allUnits, []) AS mastrNummern,
  nullif(list_sort(list_distinct(list_concat(coalesce(foerderNummern, []), derived))), []) AS foerderNummern,
  nullif(derived, []) AS foerderNummernAbgeleitet,
  coalesce(numbered.latitude, middle_of.latitude) AS latitude,
  coalesce(numbered.longitude, middle_of.longitude) AS longitude,
  CASE WHEN numbered.latitude IS NOT NULL THEN 'EINHEIT' ELSE coalesce(ebene, 'KEINE') END AS geoGenauigkeit,
  CASE
    WHEN filled THEN 'REGISTER'
    WHEN coalesce(bundesland, landkreis, plz, gemeinde, gemarkung, flurstueckRoh) IS NOT NULL THEN 'PUBLIKATION'
  END AS standortQuelle
FROM numbered LEFT JOIN middle_of USING (id)
ORDER BY id;
