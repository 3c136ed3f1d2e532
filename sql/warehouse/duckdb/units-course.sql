-- The rows that units had. Of the units that are as they were in the first state that is known, and always were, it has none.

INSERT INTO units_verlauf
WITH held AS (
  SELECT nummer, coalesce(gueltigSeit, inhaltSeit) AS seit, ersetztSeit AS bis, 'units_ersetzt' AS tabelle FROM units_ersetzt
  UNION ALL
  SELECT nummer, coalesce(gueltigSeit, inhaltSeit), abgangSeit, 'units_departed' FROM units_departed
  UNION ALL
  SELECT nummer, coalesce(gueltigSeit, inhaltSeit), NULL, 'units' FROM units
  WHERE coalesce(gueltigSeit, inhaltSeit) > (SELECT min(sequence) FROM staende) OR nummer IN (SELECT nummer FROM units_ersetzt)
),
-- Two rows end with this build where a version that was withdrawn had the unit otherwise, so which one follows is not said.
compared AS (
  SELECT nummer, {{sequence}} AS bis, coalesce(spalten, '') AS spalten
  FROM units LEFT JOIN differing_rows USING (nummer)
  WHERE {{isCompared}} AND gueltigSeit = {{sequence}} AND nummer NOT IN (SELECT nummer FROM withdrawn_units)
)
SELECT nummer, seit, bis, held.tabelle, coalesce(compared.spalten, known.spalten)
FROM held
LEFT JOIN compared USING (nummer, bis)
LEFT JOIN {{known}} AS known USING (nummer, seit, bis)
ORDER BY nummer, seit
