-- Writes the records of a view that has one for each of some units by the slices of these units.

COPY (
  SELECT *, {{sliceOfUnit}} AS slice FROM {{view}}
) TO {{folder}} (FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE 10240, PARTITION_BY (slice));
