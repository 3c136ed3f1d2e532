-- The inputs of support values beyond one slice of units: EEG plants of several units, and the units of plants that may count
-- as one with earlier ones (eeg-before.sql). Both are few, and found by aggregates over two or three numbers of each unit.

-- The units of an EEG plant, in few columns.
CREATE VIEW scratch.eeg_units AS
SELECT
  EegMaStRNummer AS eeg,
  EinheitMastrNummer AS einheit,
  _art AS art,
  _art = 'EinheitenStromSpeicher' AS speicher,
  support_state(EinheitBetriebsstatus_id) AS zustand,
  EinheitBetriebsstatus_id IS DISTINCT FROM 38 AS bestehend,
  LokationMaStRNummer AS lokation,
  municipality_key(Gemeindeschluessel) AS gemeinde,
  Gemarkung AS gemarkung,
  FlurFlurstuecknummern AS flurstuecke,
  carrier(_art, Energietraeger_id) AS einheitTyp,
  ArtDerSolaranlage_id AS lageId,
  Nutzungsbereich_id AS nutzungsbereichId,
  Einspeisungsart_id AS einspeisungsartId,
  Hauptbrennstoff_id AS hauptbrennstoffId,
  Inbetriebnahmedatum AS inbetriebnahme,
  unit_capacity(_art, Bruttoleistung, Nettonennleistung) AS kw
FROM served_units
WHERE EegMaStRNummer IS NOT NULL;

-- The units of plants of several. Planned ones add their capacity once they are built.
CREATE TABLE scratch.plant_members AS
WITH several AS (
  SELECT eeg FROM eeg_units GROUP BY eeg HAVING min(einheit) < max(einheit)
)
SELECT
  unit.*,
  EegInbetriebnahmedatum AS tagDerAnlage,
  NOT speicher AND coalesce(plant_fits(art, eeg._art), false) AS passt,
  zustand <> 31 OR bool_and(zustand = 31) FILTER (passt) OVER (PARTITION BY unit.eeg) AS gebaut
FROM eeg_units AS unit
SEMI JOIN several ON several.eeg = unit.eeg
JOIN eeg ON eeg.EegMaStRNummer = unit.eeg;

-- What several units have in common: the capacity, which is unknown where that of one of them is, that of the units which were not
-- finally decommissioned (38), and the day of the unit that leads where the plant has none: one in operation, then the smallest number.
CREATE TABLE scratch.shared_plants AS
SELECT
  eeg,
  first(inbetriebnahme ORDER BY zustand = 35 DESC, einheit) FILTER (passt) AS inbetriebnahme,
  CASE WHEN count(*) FILTER (passt AND gebaut AND kw IS NULL) = 0 THEN sum(kw) FILTER (passt AND gebaut) END AS kw,
  CASE
    WHEN count(*) FILTER (passt AND gebaut AND bestehend AND kw IS NULL) = 0 THEN sum(kw) FILTER (passt AND gebaut AND bestehend)
  END AS bestehendeKw
FROM plant_members
GROUP BY eeg;

-- Units of a plant that are of one carrier and in one state have the same support. The smallest number of them leads: its
-- properties stand for the others, which is an estimate where they differ. Use and feed-in decide some rates only, and are unknown
-- where they differ.
CREATE TABLE scratch.leading_units AS
SELECT
  eeg,
  min(einheit) AS einheit,
  differs(CASE WHEN tagDerAnlage IS NULL THEN inbetriebnahme END) OR differs(lageId) OR differs(hauptbrennstoffId) AS verschieden,
  differs(nutzungsbereichId) AS nutzungVerschieden,
  differs(einspeisungsartId) AS einspeisungVerschieden
FROM plant_members
WHERE NOT speicher
GROUP BY eeg, einheitTyp, zustand;

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
