-- The rows of `{{table}}` in all versions so far: this one goes on with some, ends others, and begins the rest.

INSERT INTO {{table}}_verlauf BY NAME
SELECT * FROM {{table}}_before WHERE bis IS NOT NULL
UNION ALL BY NAME
SELECT former.* REPLACE (CASE WHEN now.{{number}} IS NULL THEN {{sequence}} END AS bis)
FROM {{table}}_before AS former LEFT JOIN {{table}} AS now ON {{same}}
WHERE former.bis IS NULL
UNION ALL BY NAME
SELECT {{sequence}} AS seit, now.*
FROM {{table}} AS now ANTI JOIN (FROM {{table}}_before WHERE bis IS NULL) AS former ON {{same}};
