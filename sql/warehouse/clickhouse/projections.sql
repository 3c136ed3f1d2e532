-- A projection (sql/catalogue/projections.ts): of every unit the columns that a filter, an order or a grouping reads, small
-- and cheap to compare, in one of several orders. It is filled as `units` is loaded. Those that lists are sorted by have each
-- unit as lists show it, too, as one text (rows.sql): a page is read where it is found.

CREATE TABLE {{table}}{{shard}} {{onCluster}} (
{{projectionColumns}}
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY ({{order}})
SETTINGS {{partSettings}}, allow_nullable_key = 1, index_granularity = {{granule}};

CREATE MATERIALIZED VIEW {{table}}_aus_units {{onCluster}} TO {{table}}{{shard}} AS
SELECT
{{projectionSelect}}
FROM units{{shard}} AS units;
