-- The units whose coordinates lie outside of their municipality, or of the country: ingest/assembly/misplaced.ts finds them.

CREATE TABLE scratch.misplaced_units AS
SELECT *
FROM read_json({{misplaced}}, format = 'newline_delimited', columns = {
  einheit: 'BIGINT', abstandGemeindeM: 'INTEGER', agsAmPunkt: 'VARCHAR', ortAmPunkt: 'BOOLEAN', abstandDeutschlandM: 'INTEGER'
});
