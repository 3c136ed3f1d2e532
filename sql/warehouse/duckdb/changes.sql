-- Counts units that are new in this version, that have other content than in the one before (attached as
-- `previous_version`), and that are no longer served.
WITH written AS (
  SELECT nummer FROM units WHERE inhaltSeit = {{sequence}}
)
SELECT
  (SELECT count(*) FROM written ANTI JOIN previous_version.units USING (nummer)) AS added,
  (SELECT count(*) FROM written SEMI JOIN previous_version.units USING (nummer)) AS changed,
  (SELECT count(*) FROM units_departed WHERE abgangSeit = {{sequence}}) AS gone;
