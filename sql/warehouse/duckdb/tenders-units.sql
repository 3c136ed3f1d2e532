-- The units that may have an award: those of plants that name one, those that a list names, and, as long as lists name
-- parcels, those whose parcels are known.

-- Award numbers that the texts of plants contain (sql/tenders/award-number.ts).
CREATE TABLE scratch.read_numbers AS
SELECT * FROM read_json({{numbers}}, format = 'newline_delimited', columns = {
  text: 'VARCHAR', zuschlagsnummer: 'VARCHAR', technologie: 'VARCHAR', gebotstermin: 'INTEGER', zuschlag: 'BIGINT'
});

-- The texts that were corrected, or that have a part which is no award number.
CREATE TABLE scratch.spellings AS
SELECT * FROM read_json({{spellings}}, format = 'newline_delimited', columns = {
  text: 'VARCHAR', berichtigt: 'BOOLEAN', unlesbar: 'BOOLEAN'
});

CREATE TABLE scratch.plant_awards AS
SELECT
  plant,
  read_numbers.zuschlagsnummer,
  coalesce(gebotstermine.technologie, read_numbers.technologie) AS technologie,
  gebotstermine.id AS gebotstermin,
  listed_awards.id AS zuschlag,
  -- Of several awards it is not known whose part this is.
  CASE WHEN count(*) OVER (PARTITION BY plant) = 1 THEN kw END AS kw
FROM plant_texts
JOIN read_numbers USING (text)
LEFT JOIN gebotstermine ON gebotstermine.id = read_numbers.gebotstermin
LEFT JOIN listed_awards ON listed_awards.id = read_numbers.zuschlag;

CREATE TABLE scratch.listed_numbers AS
SELECT id AS zuschlag, mastr_bits(trim(number)) AS number
FROM (SELECT id, unnest(list_concat(coalesce(mastrNummern, []), coalesce(foerderNummern, []))) AS number FROM listed_awards)
WHERE mastr_bits(trim(number)) IS NOT NULL;

CREATE TABLE scratch.tender_units AS
WITH named AS (
  SELECT plant AS number FROM plant_texts UNION SELECT number FROM listed_numbers
)
SELECT
  EinheitMastrNummer AS einheit,
  EegMaStRNummer AS eeg,
  KwkMaStRNummer AS kwk,
  carrier(_art, Energietraeger_id) AS einheitTyp,
  Bruttoleistung AS kw,
  Bundesland AS bundesland,
  Inbetriebnahmedatum AS inbetriebnahme,
  coalesce(Inbetriebnahmedatum, GeplantesInbetriebnahmedatum) AS tag,
  CASE WHEN parcelsCount THEN Gemarkung END AS gemarkung,
  CASE WHEN parcelsCount THEN FlurFlurstuecknummern END AS parcels
FROM (
  -- Smaller plants win no tender, and those of other carriers none on a parcel.
  SELECT
    *,
    Bruttoleistung >= 100 AND _art IN ('EinheitenWind', 'EinheitenSolar', 'EinheitenBiomasse') AS parcelsCount
  FROM served_units
)
WHERE EinheitMastrNummer IN (SELECT number FROM named)
  OR coalesce(EegMaStRNummer IN (SELECT number FROM named), false)
  OR coalesce(KwkMaStRNummer IN (SELECT number FROM named), false)
  OR (parcelsCount AND Gemarkung IS NOT NULL AND EXISTS (SELECT 1 FROM listed_awards WHERE gemarkung IS NOT NULL));
