-- The units of a slice: those whose numbers lie in a range, both ends included, in the order of their numbers, with the
-- rows to which they refer. Slices bound the memory of the joins; each of them is joined, hashed, compared with the
-- previous version and sorted in memory (units.sql). The slice is sorted before it is joined, when its rows are narrow:
-- joins keep the order of the probe side (preserve_insertion_order), except for neighbours within one vector.

CREATE OR REPLACE TEMP TABLE slice AS
SELECT
  *,
  carrier(_art, Energietraeger_id) AS einheitTyp,
  EinheitMastrNummer IN (SELECT nummer FROM nep WHERE nummer IS NOT NULL)
  OR coalesce(upper(Kraftwerksnummer) IN (SELECT kraftwerksnummer FROM nep WHERE kraftwerksnummer IS NOT NULL), false)
    AS nepGelistet
FROM read_parquet([{{files}}])
ANTI JOIN duplicates_einheit USING (_datei, _zeile)
WHERE EinheitMastrNummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}')
  AND coalesce(EinheitSystemstatus_id, 472) NOT IN (473, 572)
  AND EinheitMastrNummer NOT IN (SELECT nummer FROM deleted_units)
ORDER BY EinheitMastrNummer;

-- The rows to which the units of the slice refer.
CREATE OR REPLACE TEMP TABLE slice_award AS
SELECT unit_awards.* FROM unit_awards SEMI JOIN slice ON EinheitMastrNummer = einheit;

CREATE OR REPLACE TEMP TABLE slice_eeg AS
SELECT * EXCLUDE (_datei, _zeile, _art, DatumLetzteAktualisierung)
FROM eeg SEMI JOIN slice USING (EegMaStRNummer);

CREATE OR REPLACE TEMP TABLE slice_speicher AS
SELECT * EXCLUDE (_datei, _zeile, _art, DatumLetzteAktualisierung)
FROM speicher SEMI JOIN slice ON MaStRNummer = SpeMastrNummer;

CREATE OR REPLACE TEMP TABLE slice_betreiber AS
SELECT MastrNummer AS nummer, CASE WHEN Personenart_id = 517 THEN Firmenname END AS name
FROM akteur SEMI JOIN slice ON MastrNummer = AnlagenbetreiberMastrNummer;

CREATE OR REPLACE TEMP TABLE slice_lokation AS
SELECT MastrNummer AS nummer, NetzanschlusspunkteMaStRNummern IS NOT NULL AS namesPoints
FROM lokation SEMI JOIN slice ON MastrNummer = LokationMaStRNummer;

CREATE OR REPLACE TEMP TABLE slice_punkt AS
SELECT * EXCLUDE (_datei, _zeile, _art, LetzteAenderung)
FROM located_points
SEMI JOIN slice ON location = slice.LokationMaStRNummer
ANTI JOIN skipped_points USING (location, NetzanschlusspunktMastrNummer);
