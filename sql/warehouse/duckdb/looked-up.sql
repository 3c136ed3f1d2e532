-- Gathers what the units of a slice refer to, one row for each unit: units.sql joins it once. A left join divides every piece of rows
-- into those that have a match and those that have none, and here that costs little, since the rows are narrow. Records
-- come as structs under the names that the catalogue of unit fields has for them.

CREATE OR REPLACE TEMP TABLE looked_up AS
SELECT
  e.EinheitMastrNummer AS unit,
  e._art AS art,
{{records}},
  {'name': betreiber.name} AS betreiber,
  speicher.anlage AS speicheranlage,
  -- The capacity that the EEG plant has of its own, and that of its units; for a rule of plausibility.
  CASE WHEN plant_fits(e._art, eeg._art) THEN {
    'kw': eeg.InstallierteLeistung,
    'einheitenKw':
      CASE WHEN eeg.shared THEN eeg.bestehendeKw ELSE unit_capacity(e._art, e.Bruttoleistung, e.Nettonennleistung) END
  } END AS eegAnlage,
  {
    'foerderbeginn': foerderung.foerderbeginn, 'foerderende': foerderung.foerderende, 'verguetung': foerderung.verguetung,
    'anzulegenderWert': foerderung.anzulegenderWert, 'referenzertrag': foerderung.referenzertrag,
    'phasenwechsel': foerderung.phasenwechsel, 'ableitbarkeit': foerderung.ableitbarkeit, 'gesetz': foerderung.gesetz
  } AS foerderung,
  {'zuschlagsnummer': award.zuschlagsnummer, 'gebotstermine': award.gebotstermine, 'ausschreibungen': award.ausschreibungen} AS award,
  anschluss,
  {
    'hersteller': windname.hersteller, 'typ': windname.typ, 'rotorAbM': windname.rotorAbM, 'rotorBisM': windname.rotorBisM,
    'leistungAbKw': windname.leistungAbKw, 'leistungBisKw': windname.leistungBisKw
  } AS windname,
  {
    'region': regionen.region, 'landkreisgebiet': regionen.landkreisgebiet, 'gemeindegebiet': regionen.gemeindegebiet,
    'schluesselStand': regionen.schluesselStand, 'schluesselHeute': regionen.schluesselHeute
  } AS regionen,
  -- Only units that are out of place have the one, those at the point of another the other.
  {
    'abstandGemeindeM': misplaced.abstandGemeindeM, 'agsAmPunkt': misplaced.agsAmPunkt, 'ortAmPunkt': misplaced.ortAmPunkt,
    'abstandDeutschlandM': misplaced.abstandDeutschlandM
  } AS misplaced,
  {'abstandTurbineM': misplaced.abstandTurbineM, 'doppelt': misplaced.doppelt} AS twin,
  previous,
  CASE WHEN e.LokationMaStRNummer IS NOT NULL THEN nullif(coalesce(standort.standing, carrier_bit(e.einheitTyp)), 0) END AS standort,
  CASE
    WHEN anschluss.punkt IS NOT NULL
      THEN nullif(coalesce(standort.standingAtPoint, standort.standing, carrier_bit(e.einheitTyp)), 0)
  END AS netzanschluss,
  e.EinheitMastrNummer IN (SELECT nummer FROM nep WHERE nummer IS NOT NULL)
  OR coalesce(upper(e.Kraftwerksnummer) IN (SELECT kraftwerksnummer FROM nep WHERE kraftwerksnummer IS NOT NULL), false)
    AS nepGelistet,
  -- Each number that the unit names, with that of the record that was found.
  e.EegMaStRNummer, eeg.EegMaStRNummer AS foundEeg,
  e.KwkMaStRNummer, kwk.KwkMastrNummer AS foundKwk,
  e.SpeMastrNummer, speicher.genannt AS foundSpeicher,
  e.GenMastrNummer, gen.GenMastrNummer AS foundGenehmigung,
  e.AnlagenbetreiberMastrNummer, betreiber.nummer AS foundBetreiber,
  e.LokationMaStRNummer, lokation.nummer AS foundLokation,
  CASE WHEN lokation.namesPoints THEN lokation.nummer END AS lokationWithPoints
FROM slice AS e
LEFT JOIN slice_eeg AS eeg ON eeg.EegMaStRNummer = e.EegMaStRNummer
LEFT JOIN kwk ON kwk.KwkMastrNummer = e.KwkMaStRNummer
LEFT JOIN slice_speicher AS speicher ON speicher.einheit = e.EinheitMastrNummer
LEFT JOIN genehmigung AS gen ON gen.GenMastrNummer = e.GenMastrNummer
LEFT JOIN slice_betreiber AS betreiber ON betreiber.nummer = e.AnlagenbetreiberMastrNummer
LEFT JOIN eeg_support AS foerderung
  ON foerderung.eeg = e.EegMaStRNummer
  AND foerderung.einheitTyp = carrier(e._art, e.Energietraeger_id)
  AND support_state(foerderung.statusId) = support_state(e.EinheitBetriebsstatus_id)
LEFT JOIN unit_awards AS award ON award.einheit = e.EinheitMastrNummer
LEFT JOIN slice_lokation AS lokation ON lokation.nummer = e.LokationMaStRNummer
LEFT JOIN slice_anschluss AS anschluss ON anschluss.location = e.LokationMaStRNummer
LEFT JOIN slice_standort AS standort ON standort.location = e.LokationMaStRNummer
LEFT JOIN windname
  ON windname.herstellerRegister IS NOT DISTINCT FROM e.Hersteller
  AND windname.typRegister IS NOT DISTINCT FROM e.Typenbezeichnung
LEFT JOIN regions_with_keys AS regionen
  ON regionen.bundesland IS NOT DISTINCT FROM e.Bundesland
  AND regionen.landkreis IS NOT DISTINCT FROM e.Landkreis
  AND regionen.gemeinde IS NOT DISTINCT FROM e.Gemeinde
  AND regionen.gemeindeschluessel IS NOT DISTINCT FROM e.Gemeindeschluessel
  AND regionen.plz IS NOT DISTINCT FROM e.Postleitzahl
LEFT JOIN (
  FROM misplaced_units FULL JOIN twin_units USING (einheit) WHERE einheit BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}')
) AS misplaced ON misplaced.einheit = e.EinheitMastrNummer
-- The unit in the version before, if it was there.
LEFT JOIN (
  FROM previous_units WHERE nummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}')
) AS previous ON previous.nummer = e.EinheitMastrNummer;

-- References that lead nowhere. The export is not a snapshot, so references of every kind may do so. They are counted instead of
-- refused, as long as there are not many (measures.sql).
INSERT INTO verweise_ins_leere
SELECT art, verweis, unit
FROM (
  SELECT art, unit, 'EegMaStRNummer' AS verweis, EegMaStRNummer AS number, foundEeg AS found FROM looked_up
  UNION ALL
  SELECT art, unit, 'KwkMaStRNummer', KwkMaStRNummer, foundKwk FROM looked_up
  UNION ALL
  SELECT art, unit, 'SpeMastrNummer', SpeMastrNummer, foundSpeicher FROM looked_up
  UNION ALL
  SELECT art, unit, 'GenMastrNummer', GenMastrNummer, foundGenehmigung FROM looked_up
  UNION ALL
  SELECT art, unit, 'AnlagenbetreiberMastrNummer', AnlagenbetreiberMastrNummer, foundBetreiber FROM looked_up
  UNION ALL
  SELECT art, unit, 'LokationMaStRNummer', LokationMaStRNummer, foundLokation FROM looked_up
  UNION ALL
  -- The location exists, but none of the points that it names does.
  SELECT art, unit, 'NetzanschlusspunkteMaStRNummern', lokationWithPoints, anschluss.location FROM looked_up
)
WHERE number IS NOT NULL AND found IS NULL;

-- Units of the version before, and those that had departed by then, that are not in this slice.
INSERT INTO absent_units
SELECT nummer
FROM previous_units ANTI JOIN looked_up ON unit = nummer
WHERE nummer BETWEEN mastr_bits('{{from}}') AND mastr_bits('{{to}}');
