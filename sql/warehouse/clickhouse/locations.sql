-- The units of each location, in the order of the locations, filled as `units` is loaded.
CREATE TABLE standorte{{shard}} {{onCluster}} (
  lokation Int64 COMMENT 'MaStR number of the location',
  nummer Int64 COMMENT 'MaStR number of the unit'
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY (lokation, nummer)
SETTINGS {{partSettings}};

CREATE MATERIALIZED VIEW standorte_aus_units {{onCluster}} TO standorte{{shard}} AS
SELECT assumeNotNull({{location}}) AS lokation, nummer
FROM units{{shard}} AS units
WHERE units.lokationMastrNummer IS NOT NULL;
