-- The inputs of support values beyond one slice of units: EEG plants of several units, and the units of plants that may count
-- as one with earlier ones (eeg-before.sql). Both are few, and found by aggregates over two or three numbers of each unit.

-- The units of an EEG plant, in few columns.
CREATE VIEW scratch.eeg_units AS
SELECT
  EegMaStRNummer AS eeg,
  EinheitMastrNummer AS einheit,
  _art = 'EinheitenStromSpeicher' AS speicher,
  EinheitBetriebsstatus_id IS NOT DISTINCT FROM 35 AS inBetrieb,
  LokationMaStRNummer AS lokation,
  Gemeindeschluessel AS gemeinde,
  Gemarkung AS gemarkung,
  FlurFlurstuecknummern AS flurstuecke,
  carrier(_art, Energietraeger_id) AS einheitTyp,
  ArtDerSolaranlage_id AS lageId,
  Inbetriebnahmedatum AS inbetriebnahme,
  unit_capacity(_art, Bruttoleistung, Nettonennleistung) AS kw
FROM served_units
WHERE EegMaStRNummer IS NOT NULL;

-- Plants of several units. The properties of the leading unit stand for the plant: no storage beside other carriers, then
-- one in operation, then the smallest number. The capacity is unknown where that of one unit is.
CREATE TABLE scratch.shared_plants AS
WITH several AS (
  SELECT eeg FROM eeg_units GROUP BY eeg HAVING min(einheit) < max(einheit)
)
SELECT
  eeg,
  first(einheit ORDER BY speicher, inBetrieb DESC, einheit) AS einheit,
  first(inbetriebnahme ORDER BY speicher, inBetrieb DESC, einheit) AS inbetriebnahme,
  CASE WHEN count(*) FILTER (NOT speicher AND kw IS NULL) = 0 THEN sum(kw) FILTER (NOT speicher) END AS kw
FROM eeg_units SEMI JOIN several USING (eeg)
GROUP BY eeg;

-- The units whose plants may count as one with others. Plug-in devices (2961) do not count, storage (2496) has no bands, and of
-- wind each turbine counts for itself.
CREATE VIEW scratch.joinable_units AS
SELECT * FROM eeg_units
WHERE NOT speicher AND einheitTyp <> 'wind' AND lageId IS DISTINCT FROM 2961;

-- The texts of parcels that are worth reading: another plant of the carrier is in the municipality.
CREATE VIEW scratch.parcel_texts AS
WITH shared AS (
  SELECT gemeinde, einheitTyp
  FROM joinable_units
  WHERE gemeinde IS NOT NULL AND gemarkung IS NOT NULL AND flurstuecke IS NOT NULL
  GROUP BY ALL
  HAVING min(eeg) < max(eeg)
)
SELECT einheit, gemarkung, flurstuecke
FROM joinable_units SEMI JOIN shared USING (gemeinde, einheitTyp)
WHERE gemarkung IS NOT NULL AND flurstuecke IS NOT NULL;
