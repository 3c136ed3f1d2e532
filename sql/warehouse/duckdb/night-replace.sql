-- Replaces the rows of the affected units by those that were computed for them, attached as `computed`, in all tables but `units`.

DELETE FROM units_departed WHERE nummer IN (FROM affected);
INSERT INTO units_departed BY NAME FROM computed.units_departed WHERE nummer IN (FROM affected);

DELETE FROM verweise_ins_leere WHERE einheit IN (FROM affected);
INSERT INTO verweise_ins_leere FROM computed.verweise_ins_leere WHERE einheit IN (FROM affected);

-- All units of a plant are among those around, so its support is right where one of its units is affected.
CREATE TABLE scratch.affected_plants AS
SELECT eeg FROM ties SEMI JOIN affected USING (nummer) WHERE eeg IS NOT NULL
UNION
SELECT eeg FROM ties_before SEMI JOIN affected USING (nummer) WHERE eeg IS NOT NULL;

INSERT INTO foerderung BY NAME FROM computed.foerderung WHERE eeg IN (FROM affected_plants);
