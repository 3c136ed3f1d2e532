-- The inputs of support values beyond one slice of units: EEG plants of several units, and plants that count as one
-- with earlier ones of the same location. Both are few, and found by aggregates over two or three numbers of each unit.

-- The units of an EEG plant, in few columns.
CREATE VIEW scratch.eeg_units AS
SELECT
  EegMaStRNummer AS eeg,
  EinheitMastrNummer AS einheit,
  _art = 'EinheitenStromSpeicher' AS speicher,
  EinheitBetriebsstatus_id IS NOT DISTINCT FROM 35 AS inBetrieb,
  LokationMaStRNummer AS lokation,
  carrier(_art, Energietraeger_id) AS einheitTyp,
  ArtDerSolaranlage_id AS lageId,
  Inbetriebnahmedatum AS inbetriebnahme,
  unit_capacity(_art, Bruttoleistung, Nettonennleistung) AS kw
FROM served_units
WHERE EegMaStRNummer IS NOT NULL;

-- Plants of several units. The properties of the leading unit stand for the plant: no storage beside other carriers, then
-- one in operation, then the smallest number.
CREATE TABLE scratch.shared_plants AS
WITH several AS (
  SELECT eeg FROM eeg_units GROUP BY eeg HAVING min(einheit) < max(einheit)
)
SELECT
  eeg,
  first(einheit ORDER BY speicher, inBetrieb DESC, einheit) AS einheit,
  first(inbetriebnahme ORDER BY speicher, inBetrieb DESC, einheit) AS inbetriebnahme,
  sum(kw) FILTER (NOT speicher) AS kw
FROM eeg_units SEMI JOIN several USING (eeg)
GROUP BY eeg;

-- Several plants as one (EEG 2023 § 24): the same location, the same carrier, commissioned within twelve months, six
-- under the EEG 2004. A plant counts after those that were commissioned before it, on the same day after those with smaller
-- numbers. Plug-in devices (2961) do not count, and storage (2496) has no bands.
CREATE TABLE scratch.crowded_locations AS
SELECT lokation, einheitTyp
FROM eeg_units
WHERE lokation IS NOT NULL AND NOT speicher AND lageId IS DISTINCT FROM 2961
GROUP BY lokation, einheitTyp
HAVING min(eeg) < max(eeg);

-- The capacity of the plants before each plant, where there are any. Of several locations of a plant the fullest counts.
CREATE TABLE scratch.plants_before AS
WITH plants AS (
  SELECT
    unit.lokation,
    unit.einheitTyp,
    unit.eeg,
    any_value(coalesce(eeg.EegInbetriebnahmedatum, shared_plants.inbetriebnahme, unit.inbetriebnahme)) AS day,
    any_value(coalesce(eeg.InstallierteLeistung, shared_plants.kw, unit.kw)) AS kw
  FROM eeg_units AS unit
  SEMI JOIN crowded_locations USING (lokation, einheitTyp)
  JOIN eeg ON eeg.EegMaStRNummer = unit.eeg
  LEFT JOIN shared_plants ON shared_plants.eeg = unit.eeg
  WHERE NOT unit.speicher AND unit.lageId IS DISTINCT FROM 2961
  GROUP BY ALL
),
summed AS (
  SELECT
    eeg,
    sum(kw) OVER (
      PARTITION BY lokation, einheitTyp ORDER BY day
      RANGE BETWEEN (CASE WHEN day < DATE '2009-01-01' THEN INTERVAL 6 MONTHS ELSE INTERVAL 12 MONTHS END) PRECEDING
        AND CURRENT ROW
    ) - sum(kw) OVER (
      PARTITION BY lokation, einheitTyp, day ORDER BY eeg ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
    ) AS kw
  FROM plants
  WHERE day IS NOT NULL
)
SELECT eeg, max(kw)::DECIMAL(18, 3) AS kw FROM summed WHERE kw > 0 GROUP BY eeg;

-- EEG plants with what was found out above: the unit that leads one of several units, and its capacity; the capacity of the
-- plants before it.
CREATE VIEW scratch.referenced_eeg AS
SELECT eeg.*, shared_plants.einheit AS leadingUnit, shared_plants.kw AS sharedKw, plants_before.kw AS davorKw
FROM eeg
LEFT JOIN shared_plants ON shared_plants.eeg = eeg.EegMaStRNummer
LEFT JOIN plants_before ON plants_before.eeg = eeg.EegMaStRNummer;
