-- The combinations of places with what is known of their key, for the rules of plausibility: nothing of one that the official list has.

CREATE OR REPLACE TABLE scratch.regions_with_keys AS
WITH
today AS (SELECT schluessel FROM orte WHERE length(schluessel) = 8),
former AS (
  SELECT old_ags, current_ags FROM read_csv({{former}}, header = true, delim = ',', all_varchar = true)
),
-- Where the operator has loaded a newer list, the keys that only the product's list has are former ones, too.
others AS (
  SELECT
    gemeindeschluessel,
    CASE
      WHEN former.old_ags IS NOT NULL OR gemeindeschluessel IN (
        SELECT ags FROM read_csv({{product}}, header = true, delim = ',', quote = '"', all_varchar = true)
      ) THEN 'frueher'
      ELSE 'unbekannt'
    END AS schluesselStand,
    -- The key of the municipality that has the whole of the former one.
    CASE
      WHEN former.old_ags NOT IN (SELECT ags FROM read_csv({{divided}}, header = true, delim = ',', all_varchar = true))
        THEN today.schluessel
    END AS schluesselHeute
  FROM (SELECT DISTINCT gemeindeschluessel FROM regionen ANTI JOIN today ON today.schluessel = gemeindeschluessel)
  LEFT JOIN former ON former.old_ags = gemeindeschluessel
  LEFT JOIN today ON today.schluessel = former.current_ags
  WHERE gemeindeschluessel IS NOT NULL
)
SELECT regionen.*, schluesselStand, schluesselHeute FROM regionen LEFT JOIN others USING (gemeindeschluessel);
