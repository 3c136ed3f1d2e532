-- The rows of `units` for the slice that slice.sql names, from what its units refer to (looked-up.sql). Columns and hash are
-- derived from the catalogue of unit fields.

CREATE OR REPLACE TEMP VIEW slice_units AS
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
    award.gebotstermine AS gebotstermine,
    -- Read by rules of plausibility alone.
    {{besideColumns}},
    previous
  FROM slice AS e
  -- Every unit has its row, so the pieces of rows of the wide slice stay whole.
  JOIN looked_up ON looked_up.unit = e.EinheitMastrNummer
),
with_hash AS (
  SELECT *, {{contentHash}} AS inhalt FROM joined
),
-- History of the units of this slice from older exports.
backfilled AS MATERIALIZED (
  SELECT * FROM older_exports
  WHERE mastrNummer BETWEEN '{{from}}' AND '{{to}}'
),
with_history AS (
  SELECT
    current.*,
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
      WHEN backfilled.letzterPlantagVom > coalesce(previous.zuletztGeplant, DATE '0001-01-01') THEN backfilled.letzterPlantag
      ELSE previous.letzterPlantag
    END AS letzterPlantag,
    -- While a unit is planned, one day after the first is enough to tell the two apart: see last_planned_on.
    CASE
      WHEN current.geplantesInbetriebnahmedatum IS NULL THEN greatest(backfilled.letzterPlantagVom, previous.zuletztGeplant)
      WHEN previous.letzterPlantagVom > least(backfilled.ersterPlantagVom, previous.ersterPlantagVom) THEN previous.letzterPlantagVom
      ELSE DATE '{{exportDay}}'
    END AS letzterPlantagVom,
    CASE
      WHEN previous.betreiberMastrNummer <> current.betreiberMastrNummer THEN DATE '{{exportDay}}'
      ELSE previous.betreiberSeit
    END AS betreiberSeit
  FROM with_hash AS current
  LEFT JOIN backfilled ON backfilled.mastrNummer = current.mastrNummer
),
with_rules AS (
  SELECT *, {{ruleBits}} AS rule_bits FROM with_history
),
with_anomalies AS (
  SELECT
    * EXCLUDE (rule_bits, {{besideNames}}),
    {{anomalies}} AS auffaelligkeiten,
    {{proposals}} AS vorschlag
  FROM with_rules
),
-- A signal tells of anomalies.
with_signals AS (
  SELECT *, {{signals}} AS signals FROM with_anomalies
)
-- Signals, anomalies and history are served like fields, so a unit in which they change has changed; so has one that was not served, or of
-- which a version that was withdrawn had something else.
SELECT
  * EXCLUDE (previous, isServed, isSame),
  CASE WHEN isServed AND isSame THEN previous.inhaltSeit ELSE {{sequence}} END AS inhaltSeit,
  -- A release with other fields changes the content of every unit, and registers none of them anew.
  CASE WHEN isServed AND (isSame OR previous.inhalt = registered_hash(u)) THEN previous.gueltigSeit ELSE {{sequence}} END AS gueltigSeit
FROM (
  SELECT
    *,
    coalesce(previous.served, false) AND nummer NOT IN (SELECT nummer FROM withdrawn_units) AS isServed,
    coalesce(
      previous.inhalt = inhalt AND previous.signals = signals
        AND previous.auffaelligkeiten IS NOT DISTINCT FROM auffaelligkeiten
        AND previous.vorschlag IS NOT DISTINCT FROM vorschlag
        AND previous.history_hash = history_hash(s),
      false
    ) AS isSame
  FROM with_signals AS s
) AS u;
