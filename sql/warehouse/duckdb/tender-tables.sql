-- What units.sql joins from the law: the support of each EEG plant. It is empty until it is filled.

CREATE TEMP TABLE eeg_support (
  eeg BIGINT,                       -- MaStR number of the EEG plant as 64 bits
  foerderbeginn DATE,
  foerderende DATE,
  verguetung DECIMAL(6, 2),         -- ct/kWh
  anzulegenderWert DECIMAL(6, 2),   -- ct/kWh
  referenzertrag DECIMAL(9, 6),
  phasenwechsel DATE,
  ableitbarkeit VARCHAR,            -- exakt, geschaetzt, nicht_ableitbar
  gesetz VARCHAR,
  art VARCHAR,                      -- kind of the rate table
  gruende VARCHAR[],                -- codes: why not exakt
  raten INTEGER[]                   -- lines of the rate table
);
