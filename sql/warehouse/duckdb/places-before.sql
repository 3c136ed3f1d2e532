-- The rows of `{{table}}` in earlier versions: none before the first, and of an earlier release those of the version before.

CREATE TABLE scratch.{{table}}_before AS
FROM {{table}}_verlauf LIMIT 0;

INSERT INTO scratch.{{table}}_before BY NAME {{rows}};
