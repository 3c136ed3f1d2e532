-- Keeps the support values of the plants in `eeg_plants`, with what they were computed from.
INSERT INTO foerderung BY NAME
FROM eeg_plants JOIN (SELECT * EXCLUDE (einheitTyp, statusId) FROM eeg_support) USING (eeg, einheit);
