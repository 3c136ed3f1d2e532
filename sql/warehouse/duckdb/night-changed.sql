-- The records of one staged table that are new, gone or not as they were in the version before, and whether the values of other units
-- than their own may have changed with them. A part of them at a time, as a join keeps all of one side in memory.

INSERT INTO changed
SELECT '{{table}}', nummer, {{others}} OR former.wirkung IS DISTINCT FROM now.wirkung
FROM (SELECT nummer, hash, wirkung FROM saetze WHERE tabelle = '{{table}}' AND nummer % {{parts}} = {{part}}) AS now
FULL JOIN (
  SELECT nummer, hash, wirkung FROM previous_version.saetze WHERE tabelle = '{{table}}' AND nummer % {{parts}} = {{part}}
) AS former USING (nummer)
WHERE now.hash IS DISTINCT FROM former.hash;
