-- Keeps the support values of the plants in `eeg_plants`, with what they were computed from; the reasons say whether the plant is of
-- the kind of its unit, and whether its units differ.
INSERT INTO foerderung BY NAME
SELECT * EXCLUDE (passt, verschieden)
FROM eeg_plants JOIN (SELECT * EXCLUDE (einheitTyp, statusId) FROM eeg_support) USING (eeg, einheit);
