-- Every unit as one text, by its number: what a unit is beyond the question tables comes in one read, where `units` has a
-- read for each of its columns. A text is the values that the unit has, each between the character that stands for its
-- field and a unit separator, escaped where it has to be (sql/warehouse/rows/layout.ts). Filled as `units` is loaded.

CREATE TABLE zeilen {{onCluster}} (
  nummer Int64 COMMENT 'units.nummer',
  zeile String COMMENT '{{rowFields}}' CODEC(ZSTD(1))
)
ENGINE = {{replicated}}MergeTree
ORDER BY nummer
-- A page takes a hundred units from as many places: little lies around each that would be unpacked with it.
SETTINGS index_granularity = 32, min_compress_block_size = 8192, max_compress_block_size = 16384;

CREATE MATERIALIZED VIEW zeilen_aus_units {{onCluster}} TO zeilen AS
SELECT units.nummer AS nummer, {{rowText}} AS zeile
FROM units;
