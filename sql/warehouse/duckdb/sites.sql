-- The carriers of the units that stand together: at one location, and at one connection point. Units that were finally decommissioned
-- (status 38) stand nowhere.

-- Where all units are of one carrier, and one of them stands, the carrier of the unit says it all: such locations have no row.
CREATE TABLE scratch.carriers_by_location AS
SELECT LokationMaStRNummer AS location, standing
FROM (
  SELECT
    LokationMaStRNummer,
    bit_or(bit) AS named,
    coalesce(bit_or(bit) FILTER (EinheitBetriebsstatus_id IS DISTINCT FROM 38), 0) AS standing
  FROM (
    SELECT
      LokationMaStRNummer, EinheitBetriebsstatus_id,
      carrier_bit(carrier(_art, Energietraeger_id))::UTINYINT AS bit
    FROM served_units
    WHERE LokationMaStRNummer IS NOT NULL
  )
  GROUP BY LokationMaStRNummer
)
WHERE bit_count(named) > 1 OR named <> standing;

-- A connection point belongs to one location, and its carriers are those of the location, unless the point names none and several
-- locations list it.
CREATE TABLE scratch.carriers_by_point AS
WITH listed AS (
  SELECT location, NetzanschlusspunktMastrNummer AS punkt
  FROM located_points ANTI JOIN skipped_points USING (location, NetzanschlusspunktMastrNummer)
  WHERE NetzanschlusspunktMastrNummer IN (SELECT punkt FROM point_locations GROUP BY punkt HAVING count(*) > 1)
),
standing AS (
  SELECT punkt, bit_or(carrier_bit(carrier(_art, Energietraeger_id))::UTINYINT) AS standing
  FROM served_units JOIN listed ON listed.location = LokationMaStRNummer
  WHERE EinheitBetriebsstatus_id IS DISTINCT FROM 38
  GROUP BY punkt
)
SELECT location, coalesce(standing, 0) AS standing FROM listed LEFT JOIN standing USING (punkt);

CREATE VIEW scratch.referenced_standort AS
SELECT location, carriers_by_location.standing, carriers_by_point.standing AS standingAtPoint
FROM carriers_by_location FULL JOIN carriers_by_point USING (location);
