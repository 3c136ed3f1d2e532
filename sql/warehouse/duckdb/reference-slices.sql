-- Writes the records of a view of references.sql by the slices of the units that refer to them. A record to which units of
-- several slices refer is written to each of them.

COPY (
  SELECT record.*, slice
  FROM {{view}} AS record
  JOIN (
    SELECT DISTINCT {{reference}} AS number, {{sliceOfUnit}} AS slice FROM served_units WHERE {{reference}} IS NOT NULL
  ) AS reference ON reference.number = record.{{key}}
) TO {{folder}} (FORMAT parquet, COMPRESSION lz4, PARTITION_BY (slice));

-- The shape of the files, for slices whose units refer to no record.
COPY (FROM {{view}} LIMIT 0) TO {{shape}} (FORMAT parquet);
