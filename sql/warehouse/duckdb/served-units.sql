-- The units that are served, those that are not, and the combinations of places of the former.

-- Units that the register has deleted or deactivated. The export is not a snapshot, so some are still in their file.
CREATE TABLE scratch.deleted_units AS
SELECT DISTINCT EinheitMastrNummer AS nummer FROM geloescht;

-- The records of the units that are served.
CREATE VIEW scratch.served_units AS
SELECT * FROM einheit
WHERE EinheitMastrNummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}')
  AND coalesce(EinheitSystemstatus_id, 472) NOT IN (473, 572)
  AND EinheitMastrNummer NOT IN (SELECT nummer FROM deleted_units);

-- The records that are not, and why: for the account in the end, when the staged units are gone.
CREATE TABLE scratch.unserved_units AS
SELECT *
FROM (
  SELECT
    _art AS art,
    EinheitMastrNummer AS nummer,
    CASE
      WHEN EinheitMastrNummer NOT BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}') THEN 'keine_stromeinheit'
      WHEN coalesce(EinheitSystemstatus_id, 472) IN (473, 572) OR EinheitMastrNummer IN (SELECT nummer FROM deleted_units)
        THEN 'geloescht_oder_deaktiviert'
    END AS befund
  FROM einheit
)
WHERE befund IS NOT NULL;

-- Those of which a lost zero was put back, for the account likewise.
CREATE TABLE scratch.padded_units AS
SELECT _art AS art, 'Gemeindeschluessel' AS feld, EinheitMastrNummer AS nummer
FROM served_units WHERE municipality_key(Gemeindeschluessel) <> Gemeindeschluessel
UNION ALL
SELECT _art, 'Postleitzahl', EinheitMastrNummer FROM served_units WHERE postal_code(Postleitzahl, Bundesland) <> Postleitzahl;

-- The combinations of places of the units that are served, numbered in their order so that neighbours are adjacent in
-- the roll-ups. From them places.sql makes the places of each level.
CREATE TABLE scratch.unit_regions AS
SELECT
  row_number() OVER (ORDER BY bundesland, landkreis, gemeinde, gemeindeschluessel, plz)::INTEGER AS region,
  *
FROM (
  SELECT
    Bundesland AS bundesland,
    Landkreis AS landkreis,
    Gemeinde AS gemeinde,
    municipality_key(Gemeindeschluessel) AS gemeindeschluessel,
    postal_code(Postleitzahl, Bundesland) AS plz,
    count(*) AS units
  FROM served_units
  GROUP BY ALL
);
