-- Units of the whole register in its own proportions, the same ones in every run: those whose numbers have the smallest
-- hashes, wherever they lie in the tables.
SELECT mastrNummer::VARCHAR AS mastrNummer
FROM units
ORDER BY hash(mastrNummer), mastrNummer
LIMIT $numbers
