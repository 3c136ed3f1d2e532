-- Writes what reference-slices.sql selects, once, split by slices: no slice reads records of the others.

COPY named_{{name}} TO {{folder}} (FORMAT parquet, COMPRESSION lz4, PARTITION_BY (slice));

-- The shape of the files, for slices without units.
COPY (SELECT * EXCLUDE (slice) FROM named_{{name}} LIMIT 0) TO {{shape}} (FORMAT parquet);
