import { between, field, is, type Kind, oneOf, type UnitField } from './field.ts';

/** Block `technik`: the technical data of the unit's own energy carrier; the fields of other carriers are null. */

const technical = (name: string, kind: Kind, source: string, meaning: string, unit: string | null = null): UnitField =>
  field(name, kind, source, meaning, { block: 'technik', unit });

/** With a filter of its own name: by statement or by list. */
const filterable = (entry: UnitField): UnitField => ({
  ...entry,
  filters: entry.kind === 'boolean' ? is(entry.name) : oneOf(entry.name),
});

/** An element that several files share under one name but that means another field for each carrier. */
const only = (carrier: string, element: string): string =>
  `CASE WHEN e.einheitTyp = '${carrier}' THEN e.${element} END`;

export const TECHNICAL_FIELDS: readonly UnitField[] = [
  technical('energietraeger', 'label', 'e.Energietraeger', 'Energieträger, wie das Register ihn nennt'),
  technical(
    'anschlussHochspannung',
    'boolean',
    'e.AnschlussAnHoechstOderHochSpannung',
    'Anschluss an Höchst- oder Hochspannung',
  ),
  technical(
    'fernsteuerbarNetzbetreiber',
    'boolean',
    'e.FernsteuerbarkeitNb',
    'Durch einen Netzbetreiber fernsteuerbar',
  ),
  technical(
    'fernsteuerbarDirektvermarkter',
    'boolean',
    'e.FernsteuerbarkeitDv',
    'Durch einen Direktvermarkter fernsteuerbar',
  ),
  filterable(technical('buergerenergie', 'boolean', 'e.Buergerenergie', 'Bürgerenergiegesellschaft (Wind, Solar)')),
  technical('notstromaggregat', 'boolean', only('combustion', 'Notstromaggregat'), 'Notstromaggregat (Verbrennung)'),
  technical('einsatzort', 'label', 'e.Einsatzort', 'Einsatzort eines Notstromaggregats'),
  filterable(
    technical(
      'grenzkraftwerk',
      'boolean',
      'e.BestandteilGrenzkraftwerk',
      'Bestandteil eines Grenzkraftwerks (Wasser, Verbrennung, Speicher)',
    ),
  ),
  technical(
    'nettonennleistungDeutschlandKw',
    'decimal',
    'e.NettonennleistungDeutschland',
    'Nettonennleistung, die in ein deutsches Netz einspeisen kann',
    'kW',
  ),
  technical('netzreserve', 'boolean', 'e.NetzreserveZugeordnet', 'Der Netzreserve zugeordnet'),
  technical('netzreserveDatum', 'day', 'e.DatumNetzreserve', 'Tag der Überführung in die Netzreserve'),
  technical('kapazitaetsreserve', 'boolean', 'e.KapazitaetsreserveZugeordnet', 'Der Kapazitätsreserve zugeordnet'),
  technical(
    'kapazitaetsreserveDatum',
    'day',
    'e.DatumKapazitaetsreserve',
    'Tag der Überführung in die Kapazitätsreserve',
  ),
  technical(
    'inbetriebnahmeAktuellerStandort',
    'day',
    'e.InbetriebnahmedatumAmAktuellenStandort',
    'Inbetriebnahme am jetzigen Standort, bei versetzten Einheiten',
  ),
  technical(
    'voruebergehendeStilllegungDatum',
    'day',
    'e.DatumBeginnVoruebergehendeStilllegung',
    'Beginn einer vorübergehenden Stilllegung',
  ),
  technical('wiederaufnahmeDatum', 'day', 'e.DatumWiederaufnahmeBetrieb', 'Wiederaufnahme des Betriebs'),
  technical('betreiberwechselDatum', 'day', 'e.DatumDesBetreiberwechsels', 'Tag des Betreiberwechsels'),
  technical(
    'vorherigeFlaechennutzung',
    'label',
    'e.UeberwiegendeNutzungsartDerFlaecheVorErrichtung',
    'Überwiegende Nutzung der Fläche vor der Errichtung (Wind, Solar)',
  ),
  technical(
    'vorherigerFlaechennutzungsbereich',
    'label',
    'e.VorherigerNutzungsartenbereichDerFlaeche',
    'Bereich der vorherigen Flächennutzung (Wind, Solar)',
  ),

  filterable(technical('windSeelage', 'label', 'e.WindAnLandOderAufSee', 'Wind an Land oder auf See')),
  technical('windMeer', 'label', 'e.Seelage', 'Nordsee oder Ostsee'),
  technical(
    'windGebiet',
    'label',
    'coalesce(e.GebietNachDemFlaechenentwicklungsplanNordsee, e.GebietNachDemFlaechenentwicklungsplanOstsee)',
    'Gebiet nach dem Flächenentwicklungsplan',
  ),
  filterable(technical('windpark', 'text', 'e.NameWindpark', 'Name des Windparks')),
  filterable(technical('windHersteller', 'label', 'e.Hersteller', 'Hersteller der Windenergieanlage')),
  filterable(technical('windTypenbezeichnung', 'text', 'e.Typenbezeichnung', 'Typenbezeichnung')),
  technical('windTechnologie', 'label', only('wind', 'Technologie'), 'Bauart der Windenergieanlage'),
  technical('windNabenhoeheM', 'decimal', 'e.Nabenhoehe', 'Nabenhöhe', 'm'),
  technical('windRotordurchmesserM', 'decimal', 'e.Rotordurchmesser', 'Rotordurchmesser', 'm'),
  technical('windWassertiefeM', 'decimal', 'e.Wassertiefe', 'Wassertiefe', 'm'),
  technical('windKuestenentfernungKm', 'decimal', 'e.Kuestenentfernung', 'Entfernung von der Küste', 'km'),
  technical('windNachtkennzeichnung', 'boolean', 'e.Nachtkennzeichnung', 'Bedarfsgesteuerte Nachtkennzeichnung'),
  technical('windRotorblattenteisung', 'boolean', 'e.Rotorblattenteisungssystem', 'Rotorblattenteisungssystem'),
  technical(
    'windAuflageLeistung',
    'boolean',
    'e.AuflageAbschaltungLeistungsbegrenzung',
    'Auflagen zu Abschaltung oder Leistungsbegrenzung',
  ),
  technical(
    'windAuflageSchallNachts',
    'boolean',
    'e.AuflagenAbschaltungSchallimmissionsschutzNachts',
    'Auflage: Schallschutz nachts',
  ),
  technical(
    'windAuflageSchallTagsueber',
    'boolean',
    'e.AuflagenAbschaltungSchallimmissionsschutzTagsueber',
    'Auflage: Schallschutz tagsüber',
  ),
  technical('windAuflageSchattenwurf', 'boolean', 'e.AuflagenAbschaltungSchattenwurf', 'Auflage: Schattenwurf'),
  technical('windAuflageTierschutz', 'boolean', 'e.AuflagenAbschaltungTierschutz', 'Auflage: Tierschutz'),
  technical('windAuflageEiswurf', 'boolean', 'e.AuflagenAbschaltungEiswurf', 'Auflage: Eiswurf'),
  technical('windAuflageSonstige', 'boolean', 'e.AuflagenAbschaltungSonstige', 'Sonstige Auflagen'),
  technical('flugwindTechnologie', 'label', 'e.TechnologieFlugwindenergieanlage', 'Bauart der Flugwindenergieanlage'),
  technical('flugwindHoeheM', 'decimal', 'e.Flughoehe', 'Flughöhe', 'm'),
  technical('flugwindRadiusM', 'decimal', 'e.Flugradius', 'Flugradius', 'm'),

  filterable(
    technical('solarLage', 'label', 'e.ArtDerSolaranlage', 'Art der Solaranlage: Gebäude, Freifläche, steckerfertig …'),
  ),
  filterable(technical('solarNutzungsbereich', 'label', 'e.Nutzungsbereich', 'Nutzungsbereich des Gebäudes')),
  field(
    'solarSpeicherVorhanden',
    'label',
    "CASE WHEN e.einheitTyp = 'solar' THEN CASE e.SpeicherAmGleichenOrt WHEN true THEN 'ja' WHEN false THEN 'nein' ELSE 'ka' END END",
    'Speicher am gleichen Ort; ka = keine Angabe',
    { block: 'technik', values: ['ja', 'nein', 'ka'], filters: oneOf('solarSpeicherVorhanden') },
  ),
  technical(
    'solarWechselrichterleistungKw',
    'decimal',
    'e.ZugeordneteWirkleistungWechselrichter',
    'Zugeordnete Wirkleistung der Wechselrichter',
    'kW',
  ),
  technical('solarAnzahlModule', 'integer', 'e.AnzahlModule', 'Anzahl der Module'),
  technical('solarLeistungsbegrenzung', 'label', 'e.Leistungsbegrenzung', 'Begrenzung der Einspeiseleistung'),
  technical(
    'solarEinheitlicheAusrichtung',
    'boolean',
    'e.EinheitlicheAusrichtungUndNeigungswinkel',
    'Alle Module gleich ausgerichtet und geneigt',
  ),
  technical('solarHauptausrichtung', 'label', 'e.Hauptausrichtung', 'Hauptausrichtung der Module'),
  technical('solarHauptneigung', 'label', 'e.HauptausrichtungNeigungswinkel', 'Neigung der Hauptausrichtung'),
  technical('solarNebenausrichtung', 'label', 'e.Nebenausrichtung', 'Nebenausrichtung der Module'),
  technical('solarNebenneigung', 'label', 'e.NebenausrichtungNeigungswinkel', 'Neigung der Nebenausrichtung'),
  technical(
    'solarFlaecheHa',
    'decimal',
    'e.GroesseDerInAnspruchGenommenenFlaecheInHektar',
    'In Anspruch genommene Fläche',
    'ha',
  ),
  technical('solarpark', 'text', 'e.NameDesSolarparks', 'Name des Solarparks'),
  technical('solarLichteHoeheM', 'decimal', 'e.LichteHoehe', 'Lichte Höhe unter den Modulen', 'm'),
  technical(
    'solarFlaechenmerkmale',
    'list',
    'liste(e.ZusaetzlicheMerkmaleDerFlaecheUndDerAktuellenFlaechennutzung)',
    'Zusätzliche Merkmale der Fläche und ihrer Nutzung',
  ),

  filterable(technical('hauptbrennstoff', 'label', 'e.Hauptbrennstoff', 'Hauptbrennstoff (Biomasse, Verbrennung)')),
  filterable(technical('biomasseart', 'label', 'e.Biomasseart', 'Art der Biomasse')),
  filterable(
    technical('biomasseTechnologie', 'label', only('biomass', 'Technologie'), 'Technologie der Biomasseeinheit'),
  ),
  filterable(
    technical(
      'mitFlexipraemie',
      'boolean',
      'eeg.BiogasInanspruchnahmeFlexiPraemie',
      'Flexibilitätsprämie für Biogas in Anspruch genommen',
    ),
  ),
  filterable(
    technical(
      'leistungserhoehung',
      'boolean',
      'eeg.BiogasLeistungserhoehung',
      'Leistungserhöhung im Zusammenhang mit der Flexibilitätsprämie',
    ),
  ),

  filterable(technical('wasserkraftart', 'label', 'e.ArtDerWasserkraftanlage', 'Art der Wasserkraftanlage')),
  filterable(technical('zuflussart', 'label', 'e.ArtDesZuflusses', 'Art des Zuflusses')),
  filterable(
    technical('minderungStromerzeugung', 'boolean', 'e.MinderungStromerzeugung', 'Auflagen mindern die Stromerzeugung'),
  ),

  filterable(
    technical(
      'geothermieTechnologie',
      'label',
      only('geothermal', 'Technologie'),
      'Technologie der Geothermie- oder Solarthermieeinheit',
    ),
  ),

  technical('kraftwerk', 'text', 'e.NameKraftwerk', 'Name des Kraftwerks (Wasser, Verbrennung, Kernkraft)'),
  technical('kraftwerksblock', 'text', 'e.NameKraftwerksblock', 'Name des Kraftwerksblocks'),
  filterable(
    technical(
      'verbrennungTechnologie',
      'label',
      only('combustion', 'Technologie'),
      'Technologie der Verbrennungseinheit',
    ),
  ),
  technical('weitererHauptbrennstoff', 'label', 'e.WeitererHauptbrennstoff', 'Weiterer Hauptbrennstoff'),
  technical('weitereBrennstoffe', 'list', 'liste(e.WeitereBrennstoffe)', 'Weitere Brennstoffe'),
  technical('kombibetrieb', 'boolean', 'e.AnlageIstImKombibetrieb', 'Im Kombibetrieb mit anderen Einheiten'),
  technical(
    'kombibetriebSteigerungKw',
    'decimal',
    'e.SteigerungNettonennleistungKombibetrieb',
    'Steigerung der Nettonennleistung durch Kombibetrieb',
    'kW',
  ),
  technical('baubeginnDatum', 'day', 'e.DatumBaubeginn', 'Baubeginn, tatsächlich oder geplant'),
  technical(
    'sicherheitsbereitschaftDatum',
    'day',
    'e.SicherheitsbereitschaftAbDatum',
    'Überführung in die Sicherheitsbereitschaft',
  ),
  technical(
    'kwkThermischeLeistungKw',
    'decimal',
    'kwk.ThermischeNutzleistung',
    'Thermische Nutzleistung der KWK-Anlage',
    'kW',
  ),
  technical(
    'kwkElektrischeLeistungKw',
    'decimal',
    'kwk.ElektrischeKwkLeistung',
    'Elektrische KWK-Leistung der KWK-Anlage',
    'kW',
  ),

  filterable(technical('kernkraftTechnologie', 'label', only('nuclear', 'Technologie'), 'Bauart des Reaktors')),

  filterable(technical('speichertechnologie', 'label', only('storage', 'Technologie'), 'Speichertechnologie')),
  technical('batterietechnologie', 'label', 'e.Batterietechnologie', 'Batterietechnologie'),
  filterable(technical('speicherAcDcKopplung', 'label', 'e.AcDcKoppelung', 'AC- oder DC-Kopplung')),
  filterable(
    technical(
      'speicherNotstromaggregat',
      'boolean',
      only('storage', 'Notstromaggregat'),
      'Speicher dient als Notstromaggregat',
    ),
  ),
  {
    ...technical(
      'speicherkapazitaetKwh',
      'decimal',
      'speicher.NutzbareSpeicherkapazitaet',
      'Nutzbare Kapazität der Speicheranlage; gehört der Anlage, nicht der einzelnen Einheit',
      'kWh',
    ),
    filters: between('speicherkapazitaetMinKwh', 'speicherkapazitaetMaxKwh'),
  },
  technical('speicherMastrNummer', 'number', 'mastr(e.SpeMastrNummer)', 'MaStR-Nummer der Speicheranlage'),
  technical(
    'speicherWechselrichterleistungKw',
    'decimal',
    'e.ZugeordnenteWirkleistungWechselrichter',
    'Zugeordnete Wirkleistung der Wechselrichter',
    'kW',
  ),
  technical(
    'speicherSolareinheitMastrNummer',
    'number',
    'mastr(e.GemeinsamRegistrierteSolareinheitMastrNummer)',
    'Gemeinsam registrierte Solareinheit',
  ),
  filterable(technical('pumpspeichertechnologie', 'label', 'e.Pumpspeichertechnologie', 'Pumpspeichertechnologie')),
  technical('pumpleistungKw', 'decimal', 'e.PumpbetriebLeistungsaufnahme', 'Leistungsaufnahme im Pumpbetrieb', 'kW'),
  technical(
    'pumpbetriebRegelbar',
    'boolean',
    'e.PumpbetriebKontinuierlichRegelbar',
    'Pumpbetrieb kontinuierlich regelbar',
  ),
];
