-- Fills `units` from the slice that slice.sql names, the records to which its units refer, and the support values of its EEG
-- plants. Columns and hash are derived from the catalogue of unit fields.

INSERT INTO units BY NAME
WITH
joined AS (
  SELECT
{{unitSelectList}},
    e.EinheitMastrNummer AS nummer,
    e.EinheitBetriebsstatus_id AS statusId,
    e.NetzbetreiberpruefungStatus_id AS netzbetreiberpruefungId,
    regionen.region AS region,
    regionen.landkreisgebiet AS landkreisgebiet,
    regionen.gemeindegebiet AS gemeindegebiet,
    award.gebotstermine AS gebotstermine
  FROM (
    SELECT
      *,
      EinheitMastrNummer IN (SELECT nummer FROM nep WHERE nummer IS NOT NULL)
      OR coalesce(upper(Kraftwerksnummer) IN (SELECT kraftwerksnummer FROM nep WHERE kraftwerksnummer IS NOT NULL), false)
        AS nepGelistet
    FROM slice
  ) AS e
  LEFT JOIN slice_eeg AS eeg ON eeg.EegMaStRNummer = e.EegMaStRNummer
  LEFT JOIN kwk ON kwk.KwkMastrNummer = e.KwkMaStRNummer
  LEFT JOIN slice_speicher AS speicher ON speicher.MaStRNummer = e.SpeMastrNummer
  LEFT JOIN genehmigung AS gen ON gen.GenMastrNummer = e.GenMastrNummer
  LEFT JOIN slice_betreiber AS betreiber ON betreiber.nummer = e.AnlagenbetreiberMastrNummer
  LEFT JOIN eeg_support AS foerderung ON foerderung.eeg = e.EegMaStRNummer
  LEFT JOIN unit_awards AS award ON award.einheit = e.EinheitMastrNummer
  LEFT JOIN slice_anschluss AS anschluss ON anschluss.location = e.LokationMaStRNummer
  LEFT JOIN windname
    ON windname.herstellerRegister IS NOT DISTINCT FROM e.Hersteller
    AND windname.typRegister IS NOT DISTINCT FROM e.Typenbezeichnung
  LEFT JOIN regionen
    ON regionen.bundesland IS NOT DISTINCT FROM e.Bundesland
    AND regionen.landkreis IS NOT DISTINCT FROM e.Landkreis
    AND regionen.gemeinde IS NOT DISTINCT FROM e.Gemeinde
    AND regionen.gemeindeschluessel IS NOT DISTINCT FROM e.Gemeindeschluessel
    AND regionen.plz IS NOT DISTINCT FROM e.Postleitzahl
),
with_hash AS (
  SELECT *, {{contentHash}} AS inhalt FROM joined
),
-- History of the units of this slice, from earlier versions and older exports.
previous AS (
  SELECT * FROM previous_units
  WHERE nummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}')
),
backfilled AS MATERIALIZED (
  SELECT * FROM older_exports
  WHERE mastrNummer BETWEEN '{{from}}' AND '{{to}}'
),
with_history AS (
  SELECT
    current.*,
    previous.inhaltSeit AS previousSince,
    -- NULL, and so not true, where the unit was not served before.
    previous.inhalt = current.inhalt AND previous.served AS unchanged,
    previous.signals AS previousSignals,
    previous.history_hash AS previousHistory,
    least(current.registrierungsdatum, previous.ersteRegistrierung, backfilled.ersteRegistrierung) AS ersteRegistrierung,
    -- The first planned day is the one of the earliest export that had one, the last the one of the latest.
    CASE
      WHEN backfilled.ersterPlantagVom < coalesce(previous.ersterPlantagVom, DATE '9999-12-31') THEN backfilled.ersterPlantag
      ELSE coalesce(previous.ersterPlantag, current.geplantesInbetriebnahmedatum)
    END AS ersterPlantag,
    least(
      backfilled.ersterPlantagVom,
      previous.ersterPlantagVom,
      CASE WHEN current.geplantesInbetriebnahmedatum IS NOT NULL THEN DATE '{{exportDay}}' END
    ) AS ersterPlantagVom,
    CASE
      WHEN current.geplantesInbetriebnahmedatum IS NOT NULL THEN current.geplantesInbetriebnahmedatum
      WHEN backfilled.letzterPlantagVom > coalesce(previous.letzterPlantagVom, DATE '0001-01-01') THEN backfilled.letzterPlantag
      ELSE previous.letzterPlantag
    END AS letzterPlantag,
    greatest(
      backfilled.letzterPlantagVom,
      previous.letzterPlantagVom,
      CASE WHEN current.geplantesInbetriebnahmedatum IS NOT NULL THEN DATE '{{exportDay}}' END
    ) AS letzterPlantagVom,
    CASE
      WHEN previous.betreiberMastrNummer <> current.betreiberMastrNummer THEN DATE '{{exportDay}}'
      ELSE previous.betreiberSeit
    END AS betreiberSeit
  FROM with_hash AS current
  LEFT JOIN previous ON previous.nummer = current.nummer
  LEFT JOIN backfilled ON backfilled.mastrNummer = current.mastrNummer
),
with_signals AS (
  SELECT *, {{signals}} AS signals FROM with_history
)
-- Signals and history are served like fields, so a unit in which they change has changed.
SELECT
  * EXCLUDE (previousSince, unchanged, previousSignals, previousHistory),
  CASE
    WHEN unchanged AND previousSignals = signals AND previousHistory = history_hash(u) THEN previousSince
    ELSE {{sequence}}
  END AS inhaltSeit
FROM with_signals AS u;

-- The export is not a snapshot, so references of every kind may lead nowhere. They are counted instead of refused, as long
-- as there are not many (measures.sql).
INSERT INTO dangling_references
SELECT _art, reference, min(EinheitMastrNummer), count(*)
FROM (
  SELECT _art, EinheitMastrNummer, 'EegMaStRNummer' AS reference
  FROM slice ANTI JOIN slice_eeg USING (EegMaStRNummer) WHERE EegMaStRNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'KwkMaStRNummer'
  FROM slice ANTI JOIN kwk ON kwk.KwkMastrNummer = slice.KwkMaStRNummer WHERE slice.KwkMaStRNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'SpeMastrNummer'
  FROM slice ANTI JOIN slice_speicher ON MaStRNummer = SpeMastrNummer WHERE SpeMastrNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'GenMastrNummer'
  FROM slice ANTI JOIN genehmigung USING (GenMastrNummer) WHERE GenMastrNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'AnlagenbetreiberMastrNummer'
  FROM slice ANTI JOIN slice_betreiber ON nummer = AnlagenbetreiberMastrNummer
  WHERE AnlagenbetreiberMastrNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'LokationMaStRNummer'
  FROM slice ANTI JOIN slice_lokation ON nummer = LokationMaStRNummer
  WHERE LokationMaStRNummer IS NOT NULL
  UNION ALL
  -- The location exists, but none of the points that it names does.
  SELECT _art, EinheitMastrNummer, 'NetzanschlusspunkteMaStRNummern'
  FROM slice
  SEMI JOIN slice_lokation ON nummer = slice.LokationMaStRNummer AND namesPoints
  ANTI JOIN slice_anschluss ON location = slice.LokationMaStRNummer
)
GROUP BY ALL;

-- The number of records that have each reference.
INSERT INTO reference_counts
UNPIVOT (
  SELECT
    _art AS art,
    count(EegMaStRNummer) AS EegMaStRNummer,
    count(KwkMaStRNummer) AS KwkMaStRNummer,
    count(SpeMastrNummer) AS SpeMastrNummer,
    count(GenMastrNummer) AS GenMastrNummer,
    count(AnlagenbetreiberMastrNummer) AS AnlagenbetreiberMastrNummer,
    count(LokationMaStRNummer) AS LokationMaStRNummer,
    count(*) FILTER (LokationMaStRNummer IN (SELECT nummer FROM slice_lokation WHERE namesPoints))
      AS NetzanschlusspunkteMaStRNummern
  FROM slice GROUP BY _art
)
ON COLUMNS(* EXCLUDE (art)) INTO NAME reference VALUE anzahl;

-- Units of the version before, and those that had departed by then, that are not in this slice.
INSERT INTO absent_units
SELECT nummer
FROM previous_units ANTI JOIN slice ON EinheitMastrNummer = nummer
WHERE nummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}');
