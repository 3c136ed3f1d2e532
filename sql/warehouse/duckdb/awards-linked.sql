-- The links of some units with awards, as they were made for all.

CREATE TABLE scratch.unit_awards AS FROM read_parquet({{unitAwards}});

CREATE TABLE scratch.eeg_awards AS FROM read_parquet({{eegAwards}});
