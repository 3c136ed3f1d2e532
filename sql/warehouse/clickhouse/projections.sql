-- A projection (sql/catalogue/projections.ts): of every unit the columns that a filter, an order or a grouping reads, small
-- and cheap to compare, in one of several orders. It is filled as `units` is loaded.

CREATE TABLE {{table}} {{onCluster}} (
{{projectionColumns}}
)
ENGINE = {{replicated}}MergeTree
ORDER BY ({{order}})
SETTINGS allow_nullable_key = 1;

CREATE MATERIALIZED VIEW {{table}}_aus_units {{onCluster}} TO {{table}} AS
SELECT
{{projectionSelect}}
FROM units;
