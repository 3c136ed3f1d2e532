-- The numbers of other records that each unit names, with the slice of the unit.

COPY (SELECT {{columns}}, {{sliceOfUnit}} AS slice FROM served_units) TO {{file}} (FORMAT parquet, COMPRESSION lz4);

CREATE VIEW scratch.named_numbers AS FROM read_parquet({{file}});
