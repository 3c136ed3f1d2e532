-- The shape of the files of reference-slices.sql, for slices whose units refer to no record.

COPY (FROM {{view}} LIMIT 0) TO {{file}} (FORMAT parquet);
