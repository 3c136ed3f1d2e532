-- Several plants as one (EEG 2023 § 24): the same location or parcel, the same carrier, commissioned within twelve months, six
-- under the EEG 2004. A plant counts after those that were commissioned before it, on the same day after those with smaller
-- numbers.

-- The parcels of units, one row for each of both.
CREATE TABLE scratch.unit_parcels AS
SELECT einheit, gemeinde || '|' || flurstueck AS site
FROM read_json({{parcels}}, format = 'newline_delimited', columns = {einheit: 'BIGINT', flurstueck: 'VARCHAR'})
JOIN joinable_units USING (einheit);

-- The sites that plants share. A parcel is one within its municipality: names of cadastral districts occur in many.
CREATE TABLE scratch.crowded_sites AS
SELECT lokation::VARCHAR AS site, einheitTyp, false AS parcel
FROM joinable_units
WHERE lokation IS NOT NULL
GROUP BY lokation, einheitTyp
HAVING min(eeg) < max(eeg)
UNION ALL
SELECT site, einheitTyp, true
FROM unit_parcels JOIN joinable_units USING (einheit)
GROUP BY site, einheitTyp
HAVING min(eeg) < max(eeg);

-- The capacity of the plants before each plant, where there are any; unknown where that of one of them is. Of several sites of a
-- plant the fullest counts, so that a crowded place takes no more than sorting its plants by day.
CREATE TABLE scratch.plants_before AS
WITH units AS (
  SELECT *, lokation::VARCHAR AS site, false AS parcel FROM joinable_units
  WHERE lokation IN (SELECT site::BIGINT FROM crowded_sites WHERE NOT parcel)
  UNION ALL
  SELECT joinable_units.*, unit_parcels.site, true FROM joinable_units JOIN unit_parcels USING (einheit)
),
plants AS (
  SELECT
    site,
    parcel,
    unit.einheitTyp,
    unit.eeg,
    any_value(coalesce(eeg.EegInbetriebnahmedatum, shared_plants.inbetriebnahme, unit.inbetriebnahme)) AS day,
    any_value(coalesce(eeg.InstallierteLeistung, CASE WHEN shared_plants.eeg IS NULL THEN unit.kw ELSE shared_plants.kw END)) AS kw,
    bool_and(unit.lageId IS NOT DISTINCT FROM 853) AS building
  FROM units AS unit
  SEMI JOIN crowded_sites USING (site, einheitTyp, parcel)
  JOIN eeg ON eeg.EegMaStRNummer = unit.eeg AND plant_fits(unit.art, eeg._art)
  LEFT JOIN shared_plants ON shared_plants.eeg = unit.eeg
  GROUP BY ALL
),
-- The days of a site are few, however many plants stand there.
days AS (
  SELECT site, parcel, einheitTyp, day, sum(kw) AS kw, count(*) FILTER (kw IS NULL) AS unknown
  FROM plants WHERE day IS NOT NULL GROUP BY ALL
),
days_before AS (
  SELECT
    site, parcel, einheitTyp, day,
    coalesce(sum(kw) OVER earlier, 0) AS kw,
    coalesce(sum(unknown) OVER earlier, 0) AS unknown
  FROM days
  WINDOW earlier AS (
    PARTITION BY site, parcel, einheitTyp ORDER BY day
    RANGE BETWEEN (CASE WHEN day < DATE '2009-01-01' THEN INTERVAL 6 MONTHS ELSE INTERVAL 12 MONTHS END) PRECEDING
      AND INTERVAL 1 DAY PRECEDING
  )
),
summed AS (
  SELECT
    eeg,
    -- The first law looked at the building. Since May 2024 roofs behind different points of connection are plants of their own.
    NOT parcel OR day >= DATE '2009-01-01' AND NOT (building AND day >= DATE '2024-05-16') AS counts,
    days_before.kw + coalesce(sum(plants.kw) OVER of_day, 0) AS kw,
    days_before.unknown + coalesce(sum((plants.kw IS NULL)::INTEGER) OVER of_day, 0) AS unknown
  FROM plants JOIN days_before USING (site, parcel, einheitTyp, day)
  WINDOW of_day AS (
    PARTITION BY site, parcel, einheitTyp, day ORDER BY eeg ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  )
)
SELECT eeg, CASE WHEN max(unknown) = 0 THEN max(kw)::DECIMAL(18, 3) END AS kw
FROM summed
WHERE counts AND (kw > 0 OR unknown > 0)
GROUP BY eeg;

-- EEG plants with what was found out above: whether they have several units, and the capacity of these; the capacity of the plants
-- before them.
CREATE VIEW scratch.referenced_eeg AS
SELECT
  eeg.*,
  shared_plants.eeg IS NOT NULL AS shared,
  shared_plants.kw AS sharedKw,
  shared_plants.bestehendeKw,
  CASE WHEN plants_before.eeg IS NULL THEN 0 ELSE plants_before.kw END AS davorKw
FROM eeg
LEFT JOIN shared_plants ON shared_plants.eeg = eeg.EegMaStRNummer
LEFT JOIN plants_before ON plants_before.eeg = eeg.EegMaStRNummer;
