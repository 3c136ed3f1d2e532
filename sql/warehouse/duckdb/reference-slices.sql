-- Writes the records of a view of references.sql by the slices of the units that refer to them. A record to which units of
-- several slices refer is written to each of them. The records are divided into parts, of which each fits into memory.

COPY (
  SELECT record.*, slice
  FROM {{view}} AS record
  JOIN (
    SELECT DISTINCT {{reference}} AS number, slice FROM named_numbers WHERE {{reference}} % {{parts}} = {{part}}
  ) AS reference ON reference.number = record.{{key}}
  WHERE record.{{key}} % {{parts}} = {{part}}
) TO {{folder}} (FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE 10240, PARTITION_BY (slice));
