-- One staged table: its files, and of records with the same key only the newest. Among records changed at the same time
-- the last one in the export wins; _datei numbers the members by kind and part.

CREATE VIEW scratch.staged_{{table}} AS
SELECT * FROM read_parquet([{{files}}]);

CREATE TABLE scratch.duplicates_{{table}} AS
WITH repeated AS (
  SELECT {{key}} FROM staged_{{table}} GROUP BY {{key}} HAVING count(*) > 1
)
SELECT _datei, _zeile
FROM (
  SELECT
    _datei,
    _zeile,
    row_number() OVER (PARTITION BY {{key}} ORDER BY {{changed}} DESC NULLS LAST, _datei DESC, _zeile DESC) AS row_rank
  FROM staged_{{table}}
  WHERE {{key}} IN (SELECT {{key}} FROM repeated)
)
WHERE row_rank > 1;

CREATE VIEW scratch.{{table}} AS
SELECT * FROM staged_{{table}} ANTI JOIN duplicates_{{table}} USING (_datei, _zeile);
