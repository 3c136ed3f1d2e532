-- A slice of `units`: the units whose numbers lie in a range, both ends included, in the order of their
-- numbers. Slices bound the memory of the joins; every one of them is joined, hashed, compared with the version before
-- and sorted in memory. The slice is sorted before it is joined, when its rows are narrow: joins keep the order of the
-- side that is read (preserve_insertion_order), but for neighbours within one vector. Columns and hash are derived from the catalogue of unit fields.

CREATE OR REPLACE TEMP TABLE scheibe AS
SELECT
  *,
  CASE _art
    WHEN 'EinheitenWind' THEN 'wind'
    WHEN 'EinheitenSolar' THEN 'solar'
    WHEN 'EinheitenStromSpeicher' THEN 'storage'
    WHEN 'EinheitenBiomasse' THEN 'biomass'
    WHEN 'EinheitenWasser' THEN 'hydro'
    WHEN 'EinheitenVerbrennung' THEN 'combustion'
    WHEN 'EinheitenKernkraft' THEN 'nuclear'
    -- The mixed file: geothermal and solar thermal energy; what burns or expands is combustion.
    ELSE CASE WHEN Energietraeger_id IN (2403, 2404) THEN 'geothermal' ELSE 'combustion' END
  END AS einheitTyp,
  EinheitMastrNummer IN (SELECT nummer FROM nep WHERE nummer IS NOT NULL)
  OR coalesce(upper(Kraftwerksnummer) IN (SELECT kraftwerksnummer FROM nep WHERE kraftwerksnummer IS NOT NULL), false)
    AS nepGelistet
FROM read_parquet([{{files}}])
ANTI JOIN doppelt_einheit USING (_datei, _zeile)
WHERE EinheitMastrNummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}')
  AND coalesce(EinheitSystemstatus_id, 472) NOT IN (473, 572)
  AND EinheitMastrNummer NOT IN (SELECT nummer FROM abgegangen)
ORDER BY EinheitMastrNummer;

-- What the units of the slice refer to, and nothing else.
CREATE OR REPLACE TEMP TABLE eeg_der_scheibe AS
SELECT * EXCLUDE (_datei, _zeile, _art, DatumLetzteAktualisierung)
FROM eeg SEMI JOIN scheibe USING (EegMaStRNummer);

CREATE OR REPLACE TEMP TABLE speicher_der_scheibe AS
SELECT * EXCLUDE (_datei, _zeile, _art, DatumLetzteAktualisierung)
FROM speicher SEMI JOIN scheibe ON MaStRNummer = SpeMastrNummer;

CREATE OR REPLACE TEMP TABLE betreiber_der_scheibe AS
SELECT MastrNummer AS nummer, CASE WHEN Personenart_id = 517 THEN Firmenname END AS name
FROM akteur SEMI JOIN scheibe ON MastrNummer = AnlagenbetreiberMastrNummer;

CREATE OR REPLACE TEMP TABLE lokation_der_scheibe AS
SELECT MastrNummer AS nummer, NetzanschlusspunkteMaStRNummern IS NOT NULL AS nenntPunkte
FROM lokation SEMI JOIN scheibe ON MastrNummer = LokationMaStRNummer;

CREATE OR REPLACE TEMP TABLE punkt_der_scheibe AS
SELECT * EXCLUDE (_datei, _zeile, _art, LetzteAenderung)
FROM stelle
SEMI JOIN scheibe ON stelle = scheibe.LokationMaStRNummer
ANTI JOIN uebergangene_punkte USING (stelle, NetzanschlusspunktMastrNummer);

INSERT INTO units BY NAME
WITH
anschluss AS MATERIALIZED (
  SELECT
    p.stelle,
    p.NetzanschlusspunktMastrNummer AS punkt,
    coalesce(p.NetzbetreiberMaStRNummer, netzbetreiber_je_netz.nummer) AS netzbetreiberNummer,
    organisation.name AS netzbetreiber,
    spannung.name AS spannungsebene,
    gebiet.name AS bilanzierungsgebiet,
    coalesce(zone.name, gebiet.regelzone) AS regelzone
  FROM punkt_der_scheibe AS p
  LEFT JOIN netzbetreiber_je_netz ON netzbetreiber_je_netz.netz = p.NetzMaStRNummer
  LEFT JOIN organisation
    ON organisation.nummer = coalesce(p.NetzbetreiberMaStRNummer, netzbetreiber_je_netz.nummer)
  LEFT JOIN spannung ON spannung.id = p.Spannungsebene_id
  LEFT JOIN gebiet ON gebiet.id = p.BilanzierungsgebietNetzanschlusspunktId
  LEFT JOIN zone ON zone.id = p.RegelzoneNetzanschlusspunkt_id
),
zusammen AS (
  SELECT
{{unitSelectList}},
    e.EinheitMastrNummer AS nummer,
    e.Gemeindeschluessel AS gemeindeschluessel,
    e.EinheitBetriebsstatus_id AS statusId,
    e.NetzbetreiberpruefungStatus_id AS netzbetreiberpruefungId,
    regionen.region AS region
  FROM scheibe AS e
  LEFT JOIN eeg_der_scheibe AS eeg ON eeg.EegMaStRNummer = e.EegMaStRNummer
  LEFT JOIN kwk ON kwk.KwkMastrNummer = e.KwkMaStRNummer
  LEFT JOIN speicher_der_scheibe AS speicher ON speicher.MaStRNummer = e.SpeMastrNummer
  LEFT JOIN genehmigung AS gen ON gen.GenMastrNummer = e.GenMastrNummer
  LEFT JOIN betreiber_der_scheibe AS betreiber ON betreiber.nummer = e.AnlagenbetreiberMastrNummer
  LEFT JOIN anschluss ON anschluss.stelle = e.LokationMaStRNummer
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
mit_inhalt AS (
  SELECT *, {{contentHash}} AS inhalt FROM zusammen
),
-- What earlier versions and older exports know of the units of this slice.
vorher AS MATERIALIZED (
  SELECT * FROM vorige_units
  WHERE mastrNummer BETWEEN '{{from}}' AND '{{to}}'
),
nachgetragen AS MATERIALIZED (
  SELECT * FROM aeltere_exporte
  WHERE mastrNummer BETWEEN '{{from}}' AND '{{to}}'
),
mit_geschichte AS (
  SELECT
    neu.*,
    vorher.inhaltSeit AS vorherSeit,
    -- Null, and so not true, where the unit was not served before.
    vorher.inhalt = neu.inhalt AND vorher.served AS unveraendert,
    vorher.signals AS vorherSignals,
    vorher.geschichte AS vorherGeschichte,
    least(neu.registrierungsdatum, vorher.ersteRegistrierung, nachgetragen.ersteRegistrierung) AS ersteRegistrierung,
    -- The first planned day is the one of the earliest export that had one, the last the one of the latest.
    CASE
      WHEN nachgetragen.ersterPlantagVom < coalesce(vorher.ersterPlantagVom, DATE '9999-12-31') THEN nachgetragen.ersterPlantag
      ELSE coalesce(vorher.ersterPlantag, neu.geplantesInbetriebnahmedatum)
    END AS ersterPlantag,
    least(
      nachgetragen.ersterPlantagVom,
      vorher.ersterPlantagVom,
      CASE WHEN neu.geplantesInbetriebnahmedatum IS NOT NULL THEN DATE '{{exportDay}}' END
    ) AS ersterPlantagVom,
    CASE
      WHEN neu.geplantesInbetriebnahmedatum IS NOT NULL THEN neu.geplantesInbetriebnahmedatum
      WHEN nachgetragen.letzterPlantagVom > coalesce(vorher.letzterPlantagVom, DATE '0001-01-01') THEN nachgetragen.letzterPlantag
      ELSE vorher.letzterPlantag
    END AS letzterPlantag,
    greatest(
      nachgetragen.letzterPlantagVom,
      vorher.letzterPlantagVom,
      CASE WHEN neu.geplantesInbetriebnahmedatum IS NOT NULL THEN DATE '{{exportDay}}' END
    ) AS letzterPlantagVom,
    CASE
      WHEN vorher.betreiberMastrNummer <> neu.betreiberMastrNummer THEN DATE '{{exportDay}}'
      ELSE vorher.betreiberSeit
    END AS betreiberSeit
  FROM mit_inhalt AS neu
  LEFT JOIN vorher ON vorher.mastrNummer = neu.mastrNummer
  LEFT JOIN nachgetragen ON nachgetragen.mastrNummer = neu.mastrNummer
),
mit_signalen AS (
  SELECT *, {{signals}} AS signals FROM mit_geschichte
)
-- Signals and history are served like fields: a unit in which they change has changed.
SELECT
  * EXCLUDE (vorherSeit, unveraendert, vorherSignals, vorherGeschichte),
  CASE
    WHEN unveraendert AND vorherSignals = signals AND vorherGeschichte = geschichte(u) THEN vorherSeit
    ELSE {{sequence}}
  END AS inhaltSeit
FROM mit_signalen AS u;

-- The export is no snapshot: references lead nowhere in every direction. They are counted, not refused, as long as they
-- are not many (measures.sql).
INSERT INTO verweise_ins_leere
SELECT _art, verweis, min(EinheitMastrNummer), count(*)
FROM (
  SELECT _art, EinheitMastrNummer, 'EegMaStRNummer' AS verweis
  FROM scheibe ANTI JOIN eeg_der_scheibe USING (EegMaStRNummer) WHERE EegMaStRNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'KwkMaStRNummer'
  FROM scheibe ANTI JOIN kwk ON kwk.KwkMastrNummer = scheibe.KwkMaStRNummer WHERE scheibe.KwkMaStRNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'SpeMastrNummer'
  FROM scheibe ANTI JOIN speicher_der_scheibe ON MaStRNummer = SpeMastrNummer WHERE SpeMastrNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'GenMastrNummer'
  FROM scheibe ANTI JOIN genehmigung USING (GenMastrNummer) WHERE GenMastrNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'AnlagenbetreiberMastrNummer'
  FROM scheibe ANTI JOIN betreiber_der_scheibe ON nummer = AnlagenbetreiberMastrNummer
  WHERE AnlagenbetreiberMastrNummer IS NOT NULL
  UNION ALL
  SELECT _art, EinheitMastrNummer, 'LokationMaStRNummer'
  FROM scheibe ANTI JOIN lokation_der_scheibe ON nummer = LokationMaStRNummer
  WHERE LokationMaStRNummer IS NOT NULL
  UNION ALL
  -- The location is there, and names points of which none is.
  SELECT _art, EinheitMastrNummer, 'NetzanschlusspunkteMaStRNummern'
  FROM scheibe
  SEMI JOIN lokation_der_scheibe ON nummer = scheibe.LokationMaStRNummer AND nenntPunkte
  ANTI JOIN punkt_der_scheibe ON stelle = scheibe.LokationMaStRNummer
)
GROUP BY ALL;

-- The number of records that refer at all.
INSERT INTO verweise
UNPIVOT (
  SELECT
    _art AS art,
    count(EegMaStRNummer) AS EegMaStRNummer,
    count(KwkMaStRNummer) AS KwkMaStRNummer,
    count(SpeMastrNummer) AS SpeMastrNummer,
    count(GenMastrNummer) AS GenMastrNummer,
    count(AnlagenbetreiberMastrNummer) AS AnlagenbetreiberMastrNummer,
    count(LokationMaStRNummer) AS LokationMaStRNummer,
    count(*) FILTER (LokationMaStRNummer IN (SELECT nummer FROM lokation_der_scheibe WHERE nenntPunkte))
      AS NetzanschlusspunkteMaStRNummern
  FROM scheibe GROUP BY _art
)
ON COLUMNS(* EXCLUDE (art)) INTO NAME verweis VALUE anzahl;
