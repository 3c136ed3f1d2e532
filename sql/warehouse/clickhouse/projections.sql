-- A projection (sql/catalogue/projections.ts): of every unit the columns that a filter, an order or a grouping reads, small
-- and cheap to compare, in one of several orders. It is filled as `units` is loaded.

CREATE TABLE {{table}}{{shard}} {{onCluster}} (
{{projectionColumns}}
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY ({{order}})
SETTINGS {{remembersBlocks}}, allow_nullable_key = 1;

CREATE MATERIALIZED VIEW {{table}}_aus_units {{onCluster}} TO {{table}}{{shard}} AS
SELECT
{{projectionSelect}}
FROM units{{shard}} AS units;
