-- The texts of units that were replaced lose them, and their present texts come beside: a text may come several times.

CREATE TABLE scratch.touched_texts AS
SELECT rowid AS zeile, gefaltet, einheiten FROM suchtexte WHERE gefaltet IN (SELECT gefaltet FROM former_texts);

DELETE FROM suchtexte WHERE gefaltet IN (SELECT gefaltet FROM former_texts);

INSERT INTO suchtexte
SELECT gefaltet, list(nummer)
FROM (SELECT zeile, gefaltet, unnest(einheiten) AS nummer FROM touched_texts)
WHERE nummer NOT IN (SELECT nummer FROM {{numbers}})
GROUP BY zeile, gefaltet;

INSERT INTO suchtexte FROM present_texts;

DROP TABLE scratch.touched_texts;
