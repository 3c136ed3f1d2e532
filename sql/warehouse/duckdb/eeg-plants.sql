-- The inputs of the support values of EEG plants: one row for each plant and each carrier and state of its units, with the unit
-- whose properties stand for these. Storage is registered as EEG plants too, and claims nothing by itself.
CREATE OR REPLACE TEMP TABLE eeg_plants AS
SELECT
  eeg.EegMaStRNummer AS eeg,
  unit.EinheitMastrNummer AS einheit,
  carrier(unit._art, unit.Energietraeger_id) AS einheitTyp,
  unit.Energietraeger_id AS energietraegerId,
  unit.EinheitBetriebsstatus_id AS statusId,
  coalesce(eeg.EegInbetriebnahmedatum, unit.Inbetriebnahmedatum) AS inbetriebnahme,
  eeg.EegInbetriebnahmedatum IS NOT NULL AS eigenesDatum,
  coalesce(plant_fits(unit._art, eeg._art), false) AS passt,
  coalesce(leading_units.verschieden, false) AS verschieden,
  coalesce(
    eeg.InstallierteLeistung,
    CASE
      WHEN eeg.shared THEN eeg.sharedKw
      ELSE unit_capacity(unit._art, unit.Bruttoleistung, unit.Nettonennleistung)
    END
  )::DECIMAL(18, 3) AS kw,
  eeg.InanspruchnahmeZahlungNachEeg AS zahlung,
  unit.ArtDerSolaranlage_id AS lageId,
  CASE WHEN nutzungVerschieden IS NOT TRUE THEN unit.Nutzungsbereich_id END AS nutzungsbereichId,
  CASE WHEN einspeisungVerschieden IS NOT TRUE THEN unit.Einspeisungsart_id END AS einspeisungsartId,
  coalesce(eeg.MieterstromZugeordnet, false) AS mieterstrom,
  unit.WindAnLandOderAufSee_id AS seelageId,
  coalesce(eeg.PilotAnlage, false) AS pilot,
  coalesce(eeg.PrototypAnlage, false) AS prototyp,
  eeg.VerhaeltnisErtragsschaetzungReferenzertrag AS ertragSchaetzung,
  eeg.VerhaeltnisReferenzertragErtrag5Jahre AS ertrag5,
  eeg.VerhaeltnisReferenzertragErtrag10Jahre AS ertrag10,
  eeg.VerhaeltnisReferenzertragErtrag15Jahre AS ertrag15,
  -- The product does not know the districts of annex 5 of the EEG.
  NULL::BOOLEAN AS suedregion,
  unit.Hauptbrennstoff_id AS hauptbrennstoffId,
  unit.Biomasseart_id AS biomasseartId,
  unit.Technologie_id AS technologieId,
  unit.ArtDerWasserkraftanlage_id AS wasserkraftartId,
  eeg.ErtuechtigungIds IS NOT NULL AS ertuechtigt,
  coalesce(unit.Buergerenergie, false) AS buergerenergie,
  eeg.davorKw::DECIMAL(18, 3) AS davorKw,
  eeg_awards.zuschlaege,
  coalesce(eeg.AusschreibungZuschlag, false) AS hatZuschlag
FROM {{units}} AS unit
JOIN {{plants}} AS eeg ON eeg.EegMaStRNummer = unit.EegMaStRNummer
LEFT JOIN leading_units ON leading_units.einheit = unit.EinheitMastrNummer
LEFT JOIN eeg_awards ON eeg_awards.eeg = eeg.EegMaStRNummer
WHERE unit._art <> 'EinheitenStromSpeicher'
  AND {{condition}};
