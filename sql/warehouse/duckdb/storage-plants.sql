-- The units of storage with what their plants say. The register gives a plant's energy once: each of its units has the whole of it,
-- which is not to be added up, and a share of it, which is. Energy and power are whole watt hours and watts here.

-- Most units name their plant. Others are only named by it; of several plants the smallest number counts. The key of that join is
-- NULL for the former: with a condition beside the key the engine would compare every unit with every plant.
CREATE VIEW scratch.storage_units AS
SELECT
  unit.einheit,
  own.MaStRNummer AS genannt,
  coalesce(own.MaStRNummer, naming.anlage) AS anlage,
  (coalesce(own.NutzbareSpeicherkapazitaet, naming.kapazitaet)::DECIMAL(38, 3) * 1000)::HUGEINT AS wattstunden,
  unit.watt,
  unit.pumpspeicher
FROM (
  SELECT
    EinheitMastrNummer AS einheit,
    SpeMastrNummer AS anlage,
    (greatest(coalesce(Bruttoleistung, 0), 0)::DECIMAL(38, 3) * 1000)::HUGEINT AS watt,
    coalesce(Technologie_id = 1537, false) AS pumpspeicher
  FROM served_units
  WHERE _art = 'EinheitenStromSpeicher'
) AS unit
LEFT JOIN speicher AS own ON own.MaStRNummer = unit.anlage
LEFT JOIN (
  SELECT einheit, min(anlage) AS anlage, arg_min(kapazitaet, anlage) AS kapazitaet
  FROM (
    SELECT
      mastr_bits(trim(unnest(split_list(VerknuepfteEinheitenMaStRNummern)))) AS einheit,
      MaStRNummer AS anlage,
      NutzbareSpeicherkapazitaet AS kapazitaet
    FROM speicher
  )
  GROUP BY einheit
) AS naming ON naming.einheit = CASE WHEN own.MaStRNummer IS NULL THEN unit.einheit END;

-- The share of a unit is by gross power, equal where no unit of the plant has one. What is left of rounding down goes to the
-- unit of most power, of equal ones to that of the smallest number.
CREATE VIEW scratch.referenced_speicher AS
WITH units AS MATERIALIZED (
  FROM storage_units
),
several AS (
  SELECT anlage FROM units WHERE anlage IS NOT NULL GROUP BY anlage HAVING min(einheit) < max(einheit)
),
weighed AS (
  SELECT
    *,
    sum(watt) OVER (PARTITION BY anlage) AS anlageWatt,
    CASE WHEN anlageWatt = 0 THEN 1 ELSE watt END AS gewicht,
    row_number() OVER (PARTITION BY anlage ORDER BY watt DESC, einheit) AS rang
  FROM units SEMI JOIN several USING (anlage)
),
rounded AS (
  SELECT *, wattstunden * gewicht // sum(gewicht) OVER (PARTITION BY anlage) AS anteil FROM weighed
),
shared AS (
  SELECT
    einheit,
    anlageWatt,
    anteil + CASE WHEN rang = 1 THEN wattstunden - sum(anteil) OVER (PARTITION BY anlage) ELSE 0 END AS anteil
  FROM rounded
)
SELECT
  units.einheit,
  units.genannt,
  {
    'nummer': units.anlage,
    'kapazitaet': thousandths(units.wattstunden),
    'anteil': thousandths(coalesce(shared.anteil, units.wattstunden)),
    -- Half of a thousandth is rounded up.
    'stunden': CASE WHEN units.wattstunden > 0 THEN thousandths(
      (2000 * units.wattstunden + coalesce(shared.anlageWatt, units.watt))
      // nullif(2 * coalesce(shared.anlageWatt, units.watt), 0)
    ) END,
    'segment': CASE
      WHEN units.pumpspeicher THEN 'pumpspeicher'
      WHEN units.wattstunden <= 0 THEN NULL
      WHEN units.wattstunden <= 30000 THEN 'heim'
      WHEN units.wattstunden <= 1000000 THEN 'gewerbe'
      WHEN units.wattstunden > 1000000 THEN 'gross'
    END
  } AS anlage
FROM units LEFT JOIN shared USING (einheit);
