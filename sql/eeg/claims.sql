-- Each plant asks this of the rate table, by the rules of its carrier.
CREATE OR REPLACE TEMP VIEW eeg_claims AS
SELECT * FROM eeg_solar
UNION ALL BY NAME SELECT * FROM eeg_wind
UNION ALL BY NAME SELECT * FROM eeg_wind_offshore
UNION ALL BY NAME SELECT * FROM eeg_hydro
UNION ALL BY NAME SELECT * FROM eeg_gases
UNION ALL BY NAME SELECT * FROM eeg_biomass
UNION ALL BY NAME SELECT * FROM eeg_geothermal
UNION ALL BY NAME SELECT *, false AS needsAward, 0 AS refusals, 0 AS doubts FROM eeg_cases WHERE carrier IS NULL;
