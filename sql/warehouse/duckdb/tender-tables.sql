-- What units.sql joins from the results of tenders and the law: the awards of each unit that has one, and the support of
-- each EEG plant. Both are empty until they are filled.

CREATE TEMP TABLE unit_awards (
  einheit BIGINT,                   -- units.nummer
  zuschlagsnummer VARCHAR,          -- of the newest bid date
  gebotstermine INTEGER[],          -- gebotstermine.id, newest first
  ausschreibungen VARCHAR           -- JSON text of include=ausschreibungen
);

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
