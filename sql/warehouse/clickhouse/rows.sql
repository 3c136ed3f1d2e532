-- Every unit as two texts, by its number: all values of a unit then take two reads, where `units` takes one for each column, and
-- what lists show takes one. A text has values of the unit, each between the character that stands for its field and a unit
-- separator, escaped where necessary (sql/warehouse/rows/layout.ts). It is filled as `units` is loaded.

CREATE TABLE zeilen{{shard}} {{onCluster}} (
  nummer Int64 COMMENT 'units.nummer' SETTINGS (min_compress_block_size = 2048, max_compress_block_size = 4096),
  liste String COMMENT '{{listFields}}' CODEC(ZSTD(1)) SETTINGS (min_compress_block_size = 4096, max_compress_block_size = 8192),
  weitere String COMMENT '{{furtherFields}}' CODEC(ZSTD(1)) SETTINGS (min_compress_block_size = 16384, max_compress_block_size = 32768)
)
ENGINE = {{replicated}}MergeTree{{ofShard}}
ORDER BY nummer
-- A page reads a hundred units from as many places: small granules and blocks keep the bytes unpacked with each few.
SETTINGS {{partSettings}}, index_granularity = 32;

CREATE MATERIALIZED VIEW zeilen_aus_units {{onCluster}} TO zeilen{{shard}} AS
SELECT nummer, zeile AS liste, {{furtherText}} AS weitere
FROM units{{shard}};
