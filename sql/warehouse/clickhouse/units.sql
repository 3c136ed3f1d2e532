-- One wide row per served unit, which all else about units is filled from as it is loaded: which units are meant is asked
-- of narrow tables (projections.sql), what they are comes from their texts (rows.sql).
-- Days are kept as days since 1970-01-01 and times as milliseconds: Date32 and DateTime64 begin in 1900 and end in 2299,
-- and move what lies beyond to there, but hydropower is older, and typing errors of the register are shown as they are.
--   SELECT fromModifiedJulianDay(inbetriebnahmedatum + 40587) FROM units

CREATE TABLE units {{onCluster}} (
{{unitColumns}}
)
ENGINE = {{replicated}}MergeTree
ORDER BY nummer;

-- The last served row of every unit that left the list, for delta reads. Never a name of an operator.
CREATE TABLE units_departed {{onCluster}} (
  abgangSeit Int32 COMMENT 'build in which it was gone first',
  abgangGrund LowCardinality(String) COMMENT 'geloescht, verschwunden, zurueckgenommen',
{{unitColumns}}
)
ENGINE = {{replicated}}MergeTree
ORDER BY (abgangSeit, nummer);

-- Rows that were served and replaced by another one of the same unit in the last weeks. Never a name of an operator.
CREATE TABLE units_ersetzt {{onCluster}} (
  ersetztSeit Int32 COMMENT 'build that replaced the row',
  ersetztAm Date32 COMMENT 'day of that build''s export',
{{unitColumns}}
)
ENGINE = {{replicated}}MergeTree
ORDER BY (ersetztSeit, nummer);
