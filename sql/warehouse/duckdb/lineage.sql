-- Versions that were served and withdrawn (rolled back), and the units in which they differ from the version that they and this one
-- descend from (withdrawn-units.sql).

CREATE TABLE scratch.withdrawn_versions (version VARCHAR, sequence INTEGER, anker INTEGER);
CREATE TABLE scratch.withdrawn_units (version VARCHAR, nummer BIGINT, served BOOLEAN);
