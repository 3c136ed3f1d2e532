-- What ties units together, for the search for those that a change affects (night-spread.sql): narrow, so that a look at all of
-- them costs little. `gemeinde` stands for the parcels of a unit, which no version keeps: plants that may count as one on a
-- parcel lie in one municipality (eeg-shared.sql). `spalte` and `zeile` are the point of one that may stand at the point of another
-- (twin-units.sql), to a thousandth of a degree.

COPY (
  SELECT
    EinheitMastrNummer AS nummer,
    LokationMaStRNummer AS lokation,
    EegMaStRNummer AS eeg,
    KwkMaStRNummer AS kwk,
    GenMastrNummer AS genehmigung,
    SpeMastrNummer AS speicher,
    AnlagenbetreiberMastrNummer AS betreiber,
    CASE
      WHEN EegMaStRNummer IS NOT NULL AND Gemarkung IS NOT NULL AND FlurFlurstuecknummern IS NOT NULL AND _art <> 'EinheitenWind'
        THEN municipality_key(Gemeindeschluessel)
    END AS gemeinde,
    CASE WHEN Bruttoleistung >= 30 AND _art IN ('EinheitenWind', 'EinheitenSolar') THEN floor(Laengengrad * 1000)::INTEGER END AS spalte,
    CASE WHEN Bruttoleistung >= 30 AND _art IN ('EinheitenWind', 'EinheitenSolar') THEN floor(Breitengrad * 1000)::INTEGER END AS zeile
  FROM served_units
) TO {{file}} (FORMAT parquet, COMPRESSION lz4);

CREATE VIEW scratch.ties AS FROM read_parquet({{file}});

-- Units of storage that a plant names, without naming it themselves.
CREATE TABLE scratch.named_by_plants AS
SELECT anlage, einheit
FROM (
  SELECT MaStRNummer AS anlage, mastr_bits(trim(unnest(split_list(VerknuepfteEinheitenMaStRNummern)))) AS einheit FROM speicher
) AS named
JOIN ties ON ties.nummer = named.einheit
WHERE ties.speicher IS DISTINCT FROM anlage;

-- Locations that list one connection point, where it names none of them.
CREATE TABLE scratch.locations_of_point AS
SELECT one.lokation, other.lokation AS andere
FROM point_locations AS one JOIN point_locations AS other USING (punkt)
WHERE one.lokation <> other.lokation;
