-- Counts the units that each rule applies to, and the conspicuous ones, for the day of this export.

INSERT INTO auffaelligkeiten_verlauf
WITH masks AS (
  SELECT auffaelligkeiten AS maske, count(*) AS anzahl, coalesce(sum(bruttoleistungKw), 0) AS kw
  FROM units
  WHERE auffaelligkeiten IS NOT NULL
  GROUP BY auffaelligkeiten
)
SELECT
  DATE '{{exportDay}}' AS tag, one.id AS regel, coalesce(sum(masks.anzahl), 0)::INTEGER AS anzahl, coalesce(sum(masks.kw), 0) AS kw
FROM {{bits}}
LEFT JOIN masks ON (masks.maske & one.bit::UBIGINT) > 0
GROUP BY one.id
ORDER BY one.id;
