-- The records that the units of `surrounding` need, as staged files of their own, those of units by slices. Records that are few are
-- taken whole, by links.

CREATE TABLE scratch.wanted AS FROM ties SEMI JOIN surrounding USING (nummer);

CREATE TABLE scratch.wanted_locations AS
SELECT lokation FROM wanted WHERE lokation IS NOT NULL
UNION
SELECT andere FROM locations_of_point SEMI JOIN wanted USING (lokation);

COPY (
  SELECT *, {{sliceOfUnit}} AS slice FROM staged_einheit WHERE EinheitMastrNummer IN (FROM surrounding)
) TO {{units}} (FORMAT parquet, PARTITION_BY (slice));

COPY (FROM staged_eeg WHERE EegMaStRNummer IN (SELECT eeg FROM wanted)) TO {{eeg}} (FORMAT parquet);

COPY (
  FROM staged_speicher
  WHERE MaStRNummer IN (SELECT speicher FROM wanted)
    OR MaStRNummer IN (SELECT anlage FROM named_by_plants SEMI JOIN surrounding ON nummer = einheit)
) TO {{speicher}} (FORMAT parquet);

COPY (FROM staged_lokation WHERE MastrNummer IN (FROM wanted_locations)) TO {{lokation}} (FORMAT parquet);

-- Names of voltages and control areas are those of any point.
CREATE TABLE scratch.wanted_points AS
SELECT NetzanschlusspunktMastrNummer AS punkt, NetzbetreiberMaStRNummer AS netzbetreiber
FROM located_points WHERE location IN (FROM wanted_locations)
UNION
SELECT min(NetzanschlusspunktMastrNummer), NULL FROM punkt GROUP BY Spannungsebene_id, Spannungsebene
UNION
SELECT min(NetzanschlusspunktMastrNummer), NULL FROM punkt GROUP BY RegelzoneNetzanschlusspunkt_id, RegelzoneNetzanschlusspunkt;

COPY (FROM staged_punkt WHERE NetzanschlusspunktMastrNummer IN (SELECT punkt FROM wanted_points)) TO {{punkt}} (FORMAT parquet);

COPY (
  FROM staged_akteur
  WHERE MastrNummer IN (SELECT betreiber FROM wanted)
    OR MastrNummer IN (SELECT netzbetreiber FROM wanted_points)
    OR Netz IS NOT NULL
) TO {{akteur}} (FORMAT parquet);

COPY (FROM unit_awards SEMI JOIN surrounding ON nummer = einheit) TO {{unitAwards}} (FORMAT parquet);
COPY (FROM eeg_awards WHERE eeg IN (SELECT eeg FROM wanted)) TO {{eegAwards}} (FORMAT parquet);
