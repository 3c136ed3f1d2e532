-- The units that have something in common with those of `{{from}}`, and these: what is computed of a unit from others depends on
-- no further ones. Where a unit has changed, both its present ties count and those that it had.

CREATE TABLE scratch.{{to}} AS
WITH
own AS MATERIALIZED (
  SELECT nummer, lokation, eeg, speicher, gemeinde, spalte, zeile FROM ties SEMI JOIN {{from}} USING (nummer)
  UNION ALL
  SELECT nummer, lokation, eeg, speicher, gemeinde, spalte, zeile FROM ties_before SEMI JOIN {{from}} USING (nummer)
),
plants AS MATERIALIZED (
  SELECT speicher AS anlage FROM own WHERE speicher IS NOT NULL
  UNION
  SELECT anlage FROM named_by_plants SEMI JOIN {{from}} ON nummer = einheit
),
-- The plant of a unit counts after others at its locations and in its municipality, and each of these by all of its units.
members AS MATERIALIZED (
  SELECT nummer, lokation, gemeinde FROM ties WHERE eeg IN (SELECT eeg FROM own)
  UNION
  SELECT nummer, lokation, gemeinde FROM own
),
locations AS MATERIALIZED (
  SELECT lokation FROM members WHERE lokation IS NOT NULL
  UNION
  SELECT andere FROM locations_of_point SEMI JOIN members USING (lokation)
),
neighbours AS MATERIALIZED (
  SELECT nummer, eeg FROM ties
  WHERE lokation IN (FROM locations) OR gemeinde IN (SELECT gemeinde FROM members WHERE gemeinde IS NOT NULL)
)
SELECT nummer FROM {{from}}
UNION
SELECT nummer FROM members
UNION
SELECT nummer FROM neighbours
UNION
SELECT nummer FROM ties WHERE eeg IN (SELECT eeg FROM neighbours WHERE eeg IS NOT NULL) OR speicher IN (FROM plants)
UNION
SELECT einheit FROM named_by_plants SEMI JOIN plants USING (anlage)
UNION
SELECT ties.nummer
FROM ties SEMI JOIN (
  SELECT DISTINCT
    spalte + unnest([-1, 0, 1, -1, 0, 1, -1, 0, 1]) AS spalte,
    zeile + unnest([-1, -1, -1, 0, 0, 0, 1, 1, 1]) AS zeile
  FROM own WHERE spalte IS NOT NULL
) USING (spalte, zeile);
