-- The rows that the version before has of the affected units of a range.

INSERT INTO replaced.units
FROM previous_version.units SEMI JOIN affected USING (nummer)
WHERE nummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}');
