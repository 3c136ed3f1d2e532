-- Takes over the days of the version before. Its own day may be the same as this one, which counts anew.

INSERT INTO auffaelligkeiten_verlauf
SELECT tag, regel, anzahl, kw
FROM previous_version.auffaelligkeiten_verlauf
WHERE tag <> DATE '{{exportDay}}' AND tag > DATE '{{exportDay}}' - {{daysKept}}
ORDER BY tag, regel;
