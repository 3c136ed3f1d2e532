-- A question table (sql/query/access-paths.ts): of every unit the columns that a filter, an order or a grouping looks at, small
-- and cheap to compare, in one of several orders. Filled as `units` is loaded.

CREATE TABLE {{table}} {{onCluster}} (
{{questionColumns}}
)
ENGINE = {{replicated}}MergeTree
ORDER BY ({{order}})
SETTINGS allow_nullable_key = 1;

CREATE MATERIALIZED VIEW {{table}}_aus_units {{onCluster}} TO {{table}} AS
SELECT
{{questionSelect}}
FROM units;
