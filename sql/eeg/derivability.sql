-- Few sums of reasons occur, so each is spelled out once. The first reason against a value decides alone about the value; begin
-- and end are there all the same, with what they rest on.
CREATE OR REPLACE TEMP TABLE eeg_reason_sets AS
WITH codes (bit, code, leadsTo, ofDays) AS (VALUES {{codes}}),
sets AS (
  SELECT r.reasons, c.* FROM (SELECT DISTINCT reasons FROM eeg_results) r
    LEFT JOIN codes c ON r.reasons & (CAST(1 AS BIGINT) << c.bit) <> 0
)
SELECT reasons, bool_or(leadsTo = 'nicht_ableitbar') IS TRUE AS refused,
  CASE WHEN refused THEN 'nicht_ableitbar' WHEN count(code) > 0 THEN 'geschaetzt' ELSE 'exakt' END AS ableitbarkeit,
  CASE WHEN refused THEN list_concat([arg_min(code, bit)], coalesce(list(code ORDER BY bit) FILTER (ofDays), []))
    ELSE coalesce(list(code ORDER BY bit) FILTER (code IS NOT NULL), []) END AS gruende
FROM sets GROUP BY reasons;

CREATE OR REPLACE TEMP TABLE eeg_support AS
SELECT r.eeg, r.einheit, r.einheitTyp, r.statusId, r.supportStart AS foerderbeginn, r.supportEnd AS foerderende,
  CAST(CASE WHEN NOT s.refused THEN r.tariff END / 100 AS DECIMAL(6, 2)) AS verguetung,
  CAST(CASE WHEN NOT s.refused THEN r.value END / 100 AS DECIMAL(6, 2)) AS anzulegenderWert,
  CAST(r.yield / 100_000 AS DECIMAL(9, 6)) AS referenzertrag,
  r.phaseChange AS phasenwechsel,
  s.ableitbarkeit, r.law AS gesetz,
  CASE WHEN r.listed THEN 'zuschlag' ELSE r.art END AS art,
  s.gruende, coalesce(b.lines, []) AS raten
FROM eeg_results r
  JOIN eeg_reason_sets s ON s.reasons = r.reasons
  LEFT JOIN eeg_bands b ON b.band = r.band;

DROP TABLE eeg_cases;
DROP TABLE eeg_results;
DROP TABLE eeg_reason_sets;
DROP TABLE eeg_tendered;
