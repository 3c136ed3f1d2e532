-- What the units refer to by one element, with the record of a view of references.sql: one row for each number and each slice
-- whose units name it, whether there is such a record or not, and one for units that name none. So every unit finds a row: where
-- some rows of a join find none, the engine parts them from the others, and soon works on pieces of a hundred rows.

CREATE VIEW scratch.named_{{name}} AS
SELECT record.* REPLACE (reference.number AS {{key}}), slice
FROM (SELECT DISTINCT {{reference}} AS number, {{sliceOfUnit}} AS slice FROM served_units) AS reference
LEFT JOIN referenced_{{name}} AS record ON record.{{key}} = reference.number;
