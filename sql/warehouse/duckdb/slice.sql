-- The units of a slice: those whose numbers lie in a range, both ends included. Slices bound the memory of the joins; each
-- of them is joined with what looked-up.sql gathers, hashed and compared with the previous version (units.sql).

CREATE OR REPLACE TEMP VIEW slice AS
SELECT
  * REPLACE (municipality_key(Gemeindeschluessel) AS Gemeindeschluessel, postal_code(Postleitzahl, Bundesland) AS Postleitzahl),
  carrier(_art, Energietraeger_id) AS einheitTyp
FROM read_parquet([{{files}}])
ANTI JOIN duplicates_einheit USING (_datei, _zeile)
WHERE EinheitMastrNummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}')
  AND coalesce(EinheitSystemstatus_id, 472) NOT IN (473, 572)
  AND EinheitMastrNummer NOT IN (SELECT nummer FROM deleted_units);
