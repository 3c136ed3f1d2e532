-- The conspicuous units, with every column of the projections, filled as `units` is loaded. They are few, so what sums up units can say
-- at no cost how many of them it counts.

CREATE TABLE units_auffaellig{{shard}} {{onCluster}} (
{{projectionColumns}},
  region Nullable(Int32) COMMENT 'row of regionen'
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY mastrNummer
SETTINGS {{partSettings}};

CREATE MATERIALIZED VIEW units_auffaellig_aus_units {{onCluster}} TO units_auffaellig{{shard}} AS
SELECT
{{projectionSelect}},
  region
FROM units{{shard}} AS units
WHERE units.{{isConspicuous}};

CREATE TABLE auffaelligkeiten_verlauf {{onCluster}} (
  tag Date32 COMMENT 'day of an export',
  regel LowCardinality(String) COMMENT 'id of the rule; auffaellig: the conspicuous units, each once',
  anzahl Int32 COMMENT 'units',
  kw Decimal(18, 3) COMMENT 'gross capacity; unknown capacity adds 0'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (regel, tag)
SETTINGS {{partSettings}};
