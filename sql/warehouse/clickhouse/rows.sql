-- Every unit as one text, by its number: all values of a unit then take one read, where `units` takes one for each column.
-- A text has the values of the unit, each between the character that stands for its field and a unit separator, escaped
-- where necessary (sql/warehouse/rows/layout.ts). It is filled as `units` is loaded.

CREATE TABLE zeilen{{shard}} {{onCluster}} (
  nummer Int64 COMMENT 'units.nummer',
  zeile String COMMENT '{{rowFields}}' CODEC(ZSTD(1))
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY nummer
-- A page reads a hundred units from as many places: small granules keep the bytes unpacked with each few.
SETTINGS {{remembersBlocks}}, index_granularity = 32, min_compress_block_size = 8192, max_compress_block_size = 16384;

CREATE MATERIALIZED VIEW zeilen_aus_units {{onCluster}} TO zeilen{{shard}} AS
SELECT units.nummer AS nummer, {{rowText}} AS zeile
FROM units{{shard}} AS units;
