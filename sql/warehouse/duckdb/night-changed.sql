-- The records of one staged table that are new, gone or not as they were in the version before. They replace those of `saetze`,
-- which has the records of that version.

CREATE OR REPLACE TABLE scratch.records_now AS {{records}};

CREATE OR REPLACE TABLE scratch.records_before AS SELECT nummer, hash FROM previous_version.saetze WHERE tabelle = '{{table}}';

CREATE OR REPLACE TABLE scratch.records_gone AS SELECT nummer FROM records_before ANTI JOIN records_now USING (nummer, hash);

CREATE OR REPLACE TABLE scratch.records_new AS FROM records_now ANTI JOIN records_before USING (nummer, hash);

INSERT INTO changed SELECT '{{table}}', nummer FROM records_gone UNION SELECT '{{table}}', nummer FROM records_new;

DELETE FROM saetze WHERE tabelle = '{{table}}' AND nummer IN (FROM records_gone);

INSERT INTO saetze SELECT '{{table}}', nummer, hash FROM records_new;

DROP TABLE scratch.records_now;
DROP TABLE scratch.records_before;
