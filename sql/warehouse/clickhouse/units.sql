-- One wide row per served unit. All other tables about units are filled from it as it is loaded: projections find units
-- (projections.sql), and their values come from their texts (rows.sql).
-- Days are kept as days since 1970-01-01 and times as milliseconds: Date32 and DateTime64 begin in 1900 and end in 2299,
-- and clamp earlier and later values, but hydropower is older, and typing errors of the register are shown unchanged.
--   SELECT fromModifiedJulianDay(inbetriebnahmedatum + 40587) FROM units

CREATE TABLE units{{shard}} {{onCluster}} (
{{unitColumns}},
  -- Views copy the text, so that a block of units makes it once. Neither an insert nor SELECT * has it.
  zeile String MATERIALIZED {{listText}} COMMENT '{{listFields}}' CODEC(ZSTD(1))
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY nummer
SETTINGS {{partSettings}};

-- Tombstones for delta reads: the last served row of every unit that left the list, always without the operator's name.
CREATE TABLE units_departed{{shard}} {{onCluster}} (
  abgangSeit Int32 COMMENT 'build in which it was gone first',
  abgangGrund LowCardinality(String) COMMENT 'geloescht, verschwunden, zurueckgenommen',
{{unitColumns}}
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY (abgangSeit, nummer)
SETTINGS {{partSettings}};

-- Rows that another row of the same unit has replaced, always without the operator's name.
CREATE TABLE units_ersetzt{{shard}} {{onCluster}} (
  ersetztSeit Int32 COMMENT 'build that replaced the row',
  ersetztAm Date32 COMMENT 'day of that build''s export',
  abgangGrund LowCardinality(String) COMMENT 'why the unit had left with the row, and came back later; empty: another row followed at once',
{{unitColumns}}
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY (ersetztSeit, nummer)
SETTINGS {{partSettings}};
