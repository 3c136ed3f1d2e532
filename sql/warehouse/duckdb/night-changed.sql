-- The records of one staged table that are new, gone or not as they were in the version before, and whether the values of other units
-- than their own may have changed with them. They replace those of `saetze`, which has the records of that version.

CREATE OR REPLACE TABLE scratch.records_now AS {{records}};

CREATE OR REPLACE TABLE scratch.records_before AS
SELECT nummer, hash, wirkung FROM previous_version.saetze WHERE tabelle = '{{table}}';

CREATE OR REPLACE TABLE scratch.records_gone AS FROM records_before ANTI JOIN records_now USING (nummer, hash);

CREATE OR REPLACE TABLE scratch.records_new AS FROM records_now ANTI JOIN records_before USING (nummer, hash);

INSERT INTO changed
SELECT '{{table}}', nummer, {{others}} OR gone.wirkung IS DISTINCT FROM new.wirkung
FROM records_gone AS gone FULL JOIN records_new AS new USING (nummer);

DELETE FROM saetze WHERE tabelle = '{{table}}' AND nummer IN (SELECT nummer FROM records_gone);

INSERT INTO saetze SELECT '{{table}}', nummer, hash, wirkung FROM records_new;

DROP TABLE scratch.records_now;
DROP TABLE scratch.records_before;
