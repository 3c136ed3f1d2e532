-- The operator's list of the grid development plan: units by number, power plants by theirs.

CREATE TABLE scratch.nep AS
SELECT mastr_bits(mastrNummer) AS nummer, upper(kraftwerksnummer) AS kraftwerksnummer
FROM read_csv({{file}}, header = true, delim = ',', quote = '"', all_varchar = true);
