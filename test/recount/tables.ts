import type { Table, Type } from './values.ts';

/** The elements that are read of each kind of file, with their types: format reference 2.5 and 2.6, written by hand. */

const typed = (types: Partial<Record<Type, string>>): Record<string, Type> =>
  Object.fromEntries(
    Object.entries(types).flatMap(([type, elements]) =>
      elements
        .trim()
        .split(/\s+/)
        .map((element) => [element, type as Type]),
    ),
  );

export const UNITS: Table = {
  kinds: [
    'EinheitenWind',
    'EinheitenSolar',
    'EinheitenStromSpeicher',
    'EinheitenBiomasse',
    'EinheitenWasser',
    'EinheitenGeothermieGrubengasDruckentspannung',
    'EinheitenVerbrennung',
    'EinheitenKernkraft',
  ],
  key: 'EinheitMastrNummer',
  changed: 'DatumLetzteAktualisierung',
  types: typed({
    mastr: `EinheitMastrNummer AnlagenbetreiberMastrNummer EegMaStRNummer KwkMaStRNummer LokationMaStRNummer
      GenMastrNummer SpeMastrNummer GemeinsamRegistrierteSolareinheitMastrNummer`,
    text: `NameStromerzeugungseinheit Postleitzahl Ort Landkreis Gemeinde Gemeindeschluessel Weic Kraftwerksnummer
      NameWindpark Typenbezeichnung NameDesSolarparks NameKraftwerk NameKraftwerksblock`,
    day: `Inbetriebnahmedatum GeplantesInbetriebnahmedatum DatumEndgueltigeStilllegung Registrierungsdatum
      NetzbetreiberpruefungDatum DatumNetzreserve DatumKapazitaetsreserve InbetriebnahmedatumAmAktuellenStandort
      DatumBeginnVoruebergehendeStilllegung DatumWiederaufnahmeBetrieb DatumDesBetreiberwechsels DatumBaubeginn
      SicherheitsbereitschaftAbDatum`,
    time: 'DatumLetzteAktualisierung',
    integer: 'AnzahlModule',
    boolean: `AnschlussAnHoechstOderHochSpannung FernsteuerbarkeitNb FernsteuerbarkeitDv Buergerenergie Notstromaggregat
      BestandteilGrenzkraftwerk NetzreserveZugeordnet KapazitaetsreserveZugeordnet Nachtkennzeichnung
      Rotorblattenteisungssystem AuflageAbschaltungLeistungsbegrenzung AuflagenAbschaltungSchallimmissionsschutzNachts
      AuflagenAbschaltungSchallimmissionsschutzTagsueber AuflagenAbschaltungSchattenwurf AuflagenAbschaltungTierschutz
      AuflagenAbschaltungEiswurf AuflagenAbschaltungSonstige SpeicherAmGleichenOrt
      EinheitlicheAusrichtungUndNeigungswinkel MinderungStromerzeugung AnlageIstImKombibetrieb
      PumpbetriebKontinuierlichRegelbar`,
    kilowatts: `Bruttoleistung Nettonennleistung NettonennleistungDeutschland ZugeordneteWirkleistungWechselrichter
      SteigerungNettonennleistungKombibetrieb ZugeordnenteWirkleistungWechselrichter PumpbetriebLeistungsaufnahme`,
    decimal: `Nabenhoehe Rotordurchmesser Wassertiefe Kuestenentfernung Flughoehe Flugradius
      GroesseDerInAnspruchGenommenenFlaecheInHektar LichteHoehe`,
    degree: 'Laengengrad Breitengrad',
    label: `EinheitBetriebsstatus EinheitSystemstatus Bundesland Energietraeger Einspeisungsart NetzbetreiberpruefungStatus
      Einsatzort UeberwiegendeNutzungsartDerFlaecheVorErrichtung VorherigerNutzungsartenbereichDerFlaeche
      WindAnLandOderAufSee Seelage GebietNachDemFlaechenentwicklungsplanNordsee
      GebietNachDemFlaechenentwicklungsplanOstsee Hersteller Technologie TechnologieFlugwindenergieanlage
      ArtDerSolaranlage Nutzungsbereich Leistungsbegrenzung Hauptausrichtung HauptausrichtungNeigungswinkel
      Nebenausrichtung NebenausrichtungNeigungswinkel Hauptbrennstoff Biomasseart ArtDerWasserkraftanlage
      ArtDesZuflusses WeitererHauptbrennstoff Batterietechnologie AcDcKoppelung Pumpspeichertechnologie`,
    labels: 'ZusaetzlicheMerkmaleDerFlaecheUndDerAktuellenFlaechennutzung WeitereBrennstoffe',
  }),
};

const plants = (kinds: string[], key: string, types: Partial<Record<Type, string>>): Table => ({
  kinds,
  key,
  changed: 'DatumLetzteAktualisierung',
  types: typed({ ...types, time: 'DatumLetzteAktualisierung' }),
});

export const EEG = plants(
  ['Wind', 'Solar', 'Biomasse', 'Wasser', 'GeothermieGrubengasDruckentspannung', 'Speicher'].map(
    (carrier) => `AnlagenEeg${carrier}`,
  ),
  'EegMaStRNummer',
  {
    text: 'AnlagenschluesselEeg',
    list: 'Zuschlagsnummer ErtuechtigungIds',
    boolean: `BiogasInanspruchnahmeFlexiPraemie BiogasLeistungserhoehung InanspruchnahmeZahlungNachEeg
      MieterstromZugeordnet AusschreibungZuschlag PilotAnlage PrototypAnlage`,
    day: 'EegInbetriebnahmedatum',
    decimal: `VerhaeltnisErtragsschaetzungReferenzertrag VerhaeltnisReferenzertragErtrag5Jahre
      VerhaeltnisReferenzertragErtrag10Jahre VerhaeltnisReferenzertragErtrag15Jahre`,
    kilowatts: 'ZugeordneteGebotsmenge InstallierteLeistung',
  },
);
export const KWK = plants(['AnlagenKwk'], 'KwkMastrNummer', {
  text: 'Zuschlagnummer',
  kilowatts: 'ElektrischeKwkLeistung',
  decimal: 'ThermischeNutzleistung',
});
export const STORAGE = plants(['AnlagenStromSpeicher'], 'MaStRNummer', {
  decimal: 'NutzbareSpeicherkapazitaet',
  list: 'VerknuepfteEinheitenMaStRNummern',
});
export const PERMITS = plants(['EinheitenGenehmigung'], 'GenMastrNummer', {
  label: 'Art',
  day: 'Datum Frist',
  text: 'Behoerde Aktenzeichen',
});
export const LOCATIONS = plants(['Lokationen'], 'MastrNummer', { list: 'NetzanschlusspunkteMaStRNummern' });
export const DELETED = plants(['GeloeschteUndDeaktivierteEinheiten'], 'EinheitMastrNummer', {
  integer: 'EinheitSystemstatus',
});

export const ACTORS: Table = {
  kinds: ['Marktakteure'],
  key: 'MastrNummer',
  changed: 'DatumLetzeAktualisierung',
  types: typed({
    time: 'DatumLetzeAktualisierung',
    text: 'Firmenname Postleitzahl Ort',
    label: 'Marktfunktion Rechtsform Bundesland',
    list: 'Netz',
    integer: 'Personenart',
  }),
};

export const POINTS: Table = {
  kinds: ['Netzanschlusspunkte'],
  key: 'NetzanschlusspunktMastrNummer',
  changed: 'LetzteAenderung',
  types: typed({
    time: 'LetzteAenderung',
    mastr: 'LokationMaStRNummer NetzMaStRNummer NetzbetreiberMaStRNummer',
    label: 'Spannungsebene RegelzoneNetzanschlusspunkt',
    integer: 'BilanzierungsgebietNetzanschlusspunktId',
    boolean: 'NochInPlanung',
  }),
};

export const AREAS: Table = {
  kinds: ['Bilanzierungsgebiete'],
  key: 'Id',
  changed: '',
  types: typed({ text: 'Yeic BilanzierungsgebietNetzanschlusspunkt', label: 'RegelzoneNetzanschlusspunkt' }),
};
