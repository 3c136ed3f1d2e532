-- Adds to the rows of {{table}} by how much the sums over the present rows of some units differ from those over their former ones.

CREATE OR REPLACE TABLE scratch.difference AS
SELECT {{keys}}, {{added}}
FROM (
  SELECT {{keys}}, {{sums}} FROM present.{{table}}
  UNION ALL
  SELECT {{keys}}, {{negated}} FROM former.{{table}}
)
GROUP BY ALL
HAVING {{differs}};

CREATE OR REPLACE TABLE scratch.total AS
SELECT {{ownKeys}}, {{total}} FROM difference LEFT JOIN {{table}} AS own ON {{same}};

DELETE FROM {{table}} WHERE rowid IN (SELECT own.rowid FROM {{table}} AS own JOIN difference ON {{same}});

INSERT INTO {{table}} BY NAME FROM total WHERE anzahl <> 0;
