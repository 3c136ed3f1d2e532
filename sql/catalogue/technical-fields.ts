import { type ElementExpression, element, sql } from './expression.ts';
import { between, field, is, type Kind, oneOf, type UnitField } from './field.ts';

/** Block `technik`: the technical data of the unit's own energy carrier; the fields of other carriers are null. */

const technical = (
  name: string,
  kind: Kind,
  source: ElementExpression,
  meaning: string,
  unit: string | null = null,
): UnitField => field(name, kind, source, meaning, { block: 'technik', unit });

/** Adds a filter under the name of the field: a flag or a list of values. */
const filterable = (entry: UnitField): UnitField => ({
  ...entry,
  filters: entry.kind === 'boolean' ? is(entry.name) : oneOf(entry.name),
});

/** Several files share an element under one name that means a different field for each carrier. */
const only = (carrier: string, name: string): ElementExpression =>
  sql`CASE WHEN e.einheitTyp = '${carrier}' THEN ${element.einheit(name)} END`;

export const TECHNICAL_FIELDS: readonly UnitField[] = [
  technical('energietraeger', 'label', element.einheit('Energietraeger'), 'Energieträger, wie das Register ihn nennt'),
  technical(
    'anschlussHochspannung',
    'boolean',
    element.einheit('AnschlussAnHoechstOderHochSpannung'),
    'Anschluss an Höchst- oder Hochspannung',
  ),
  technical(
    'fernsteuerbarNetzbetreiber',
    'boolean',
    element.einheit('FernsteuerbarkeitNb'),
    'Durch einen Netzbetreiber fernsteuerbar',
  ),
  technical(
    'fernsteuerbarDirektvermarkter',
    'boolean',
    element.einheit('FernsteuerbarkeitDv'),
    'Durch einen Direktvermarkter fernsteuerbar',
  ),
  filterable(
    technical(
      'buergerenergie',
      'boolean',
      element.einheit('Buergerenergie'),
      'Bürgerenergiegesellschaft (Wind, Solar)',
    ),
  ),
  technical('notstromaggregat', 'boolean', only('combustion', 'Notstromaggregat'), 'Notstromaggregat (Verbrennung)'),
  technical('einsatzort', 'label', element.einheit('Einsatzort'), 'Einsatzort eines Notstromaggregats'),
  filterable(
    technical(
      'grenzkraftwerk',
      'boolean',
      element.einheit('BestandteilGrenzkraftwerk'),
      'Bestandteil eines Grenzkraftwerks (Wasser, Verbrennung, Speicher)',
    ),
  ),
  technical(
    'nettonennleistungDeutschlandKw',
    'decimal',
    element.einheit('NettonennleistungDeutschland'),
    'Nettonennleistung, die in ein deutsches Netz einspeisen kann',
    'kW',
  ),
  technical('netzreserve', 'boolean', element.einheit('NetzreserveZugeordnet'), 'Der Netzreserve zugeordnet'),
  technical('netzreserveDatum', 'day', element.einheit('DatumNetzreserve'), 'Tag der Überführung in die Netzreserve'),
  technical(
    'kapazitaetsreserve',
    'boolean',
    element.einheit('KapazitaetsreserveZugeordnet'),
    'Der Kapazitätsreserve zugeordnet',
  ),
  technical(
    'kapazitaetsreserveDatum',
    'day',
    element.einheit('DatumKapazitaetsreserve'),
    'Tag der Überführung in die Kapazitätsreserve',
  ),
  technical(
    'inbetriebnahmeAktuellerStandort',
    'day',
    element.einheit('InbetriebnahmedatumAmAktuellenStandort'),
    'Inbetriebnahme am jetzigen Standort, bei versetzten Einheiten',
  ),
  technical(
    'voruebergehendeStilllegungDatum',
    'day',
    element.einheit('DatumBeginnVoruebergehendeStilllegung'),
    'Beginn einer vorübergehenden Stilllegung',
  ),
  technical('wiederaufnahmeDatum', 'day', element.einheit('DatumWiederaufnahmeBetrieb'), 'Wiederaufnahme des Betriebs'),
  technical('betreiberwechselDatum', 'day', element.einheit('DatumDesBetreiberwechsels'), 'Tag des Betreiberwechsels'),
  technical(
    'vorherigeFlaechennutzung',
    'label',
    element.einheit('UeberwiegendeNutzungsartDerFlaecheVorErrichtung'),
    'Überwiegende Nutzung der Fläche vor der Errichtung (Wind, Solar)',
  ),
  technical(
    'vorherigerFlaechennutzungsbereich',
    'label',
    element.einheit('VorherigerNutzungsartenbereichDerFlaeche'),
    'Bereich der vorherigen Flächennutzung (Wind, Solar)',
  ),

  filterable(technical('windSeelage', 'label', element.einheit('WindAnLandOderAufSee'), 'Wind an Land oder auf See')),
  technical('windMeer', 'label', element.einheit('Seelage'), 'Nordsee oder Ostsee'),
  technical(
    'windGebiet',
    'label',
    sql`coalesce(${element.einheit('GebietNachDemFlaechenentwicklungsplanNordsee')}, ${element.einheit('GebietNachDemFlaechenentwicklungsplanOstsee')})`,
    'Gebiet nach dem Flächenentwicklungsplan',
  ),
  filterable(technical('windpark', 'text', element.einheit('NameWindpark'), 'Name des Windparks')),
  filterable(
    technical('windHersteller', 'label', sql`windname.hersteller`, 'Hersteller der Windenergieanlage, vereinheitlicht'),
  ),
  filterable(technical('windTypenbezeichnung', 'text', sql`windname.typ`, 'Typenbezeichnung, vereinheitlicht')),
  technical('windHerstellerRegister', 'label', element.einheit('Hersteller'), 'Hersteller, wie das Register ihn nennt'),
  technical(
    'windTypenbezeichnungRegister',
    'text',
    element.einheit('Typenbezeichnung'),
    'Typenbezeichnung, wie sie im Register steht',
  ),
  technical('windTechnologie', 'label', only('wind', 'Technologie'), 'Bauart der Windenergieanlage'),
  technical('windNabenhoeheM', 'decimal', element.einheit('Nabenhoehe'), 'Nabenhöhe', 'm'),
  technical('windRotordurchmesserM', 'decimal', element.einheit('Rotordurchmesser'), 'Rotordurchmesser', 'm'),
  technical('windWassertiefeM', 'decimal', element.einheit('Wassertiefe'), 'Wassertiefe', 'm'),
  technical(
    'windKuestenentfernungKm',
    'decimal',
    element.einheit('Kuestenentfernung'),
    'Entfernung von der Küste',
    'km',
  ),
  technical(
    'windNachtkennzeichnung',
    'boolean',
    element.einheit('Nachtkennzeichnung'),
    'Bedarfsgesteuerte Nachtkennzeichnung',
  ),
  technical(
    'windRotorblattenteisung',
    'boolean',
    element.einheit('Rotorblattenteisungssystem'),
    'Rotorblattenteisungssystem',
  ),
  technical(
    'windAuflageLeistung',
    'boolean',
    element.einheit('AuflageAbschaltungLeistungsbegrenzung'),
    'Auflagen zu Abschaltung oder Leistungsbegrenzung',
  ),
  technical(
    'windAuflageSchallNachts',
    'boolean',
    element.einheit('AuflagenAbschaltungSchallimmissionsschutzNachts'),
    'Auflage: Schallschutz nachts',
  ),
  technical(
    'windAuflageSchallTagsueber',
    'boolean',
    element.einheit('AuflagenAbschaltungSchallimmissionsschutzTagsueber'),
    'Auflage: Schallschutz tagsüber',
  ),
  technical(
    'windAuflageSchattenwurf',
    'boolean',
    element.einheit('AuflagenAbschaltungSchattenwurf'),
    'Auflage: Schattenwurf',
  ),
  technical(
    'windAuflageTierschutz',
    'boolean',
    element.einheit('AuflagenAbschaltungTierschutz'),
    'Auflage: Tierschutz',
  ),
  technical('windAuflageEiswurf', 'boolean', element.einheit('AuflagenAbschaltungEiswurf'), 'Auflage: Eiswurf'),
  technical('windAuflageSonstige', 'boolean', element.einheit('AuflagenAbschaltungSonstige'), 'Sonstige Auflagen'),
  technical(
    'flugwindTechnologie',
    'label',
    element.einheit('TechnologieFlugwindenergieanlage'),
    'Bauart der Flugwindenergieanlage',
  ),
  technical('flugwindHoeheM', 'decimal', element.einheit('Flughoehe'), 'Flughöhe', 'm'),
  technical('flugwindRadiusM', 'decimal', element.einheit('Flugradius'), 'Flugradius', 'm'),

  filterable(
    technical(
      'solarLage',
      'label',
      element.einheit('ArtDerSolaranlage'),
      'Art der Solaranlage: Gebäude, Freifläche, steckerfertig …',
    ),
  ),
  filterable(
    technical('solarNutzungsbereich', 'label', element.einheit('Nutzungsbereich'), 'Nutzungsbereich des Gebäudes'),
  ),
  field(
    'solarSpeicherVorhanden',
    'label',
    sql`CASE WHEN e.einheitTyp = 'solar' THEN CASE ${element.einheit('SpeicherAmGleichenOrt')} WHEN true THEN 'ja' WHEN false THEN 'nein' ELSE 'ka' END END`,
    'Speicher am gleichen Ort; ka = keine Angabe',
    { block: 'technik', values: ['ja', 'nein', 'ka'], filters: oneOf('solarSpeicherVorhanden') },
  ),
  technical(
    'solarWechselrichterleistungKw',
    'decimal',
    element.einheit('ZugeordneteWirkleistungWechselrichter'),
    'Zugeordnete Wirkleistung der Wechselrichter',
    'kW',
  ),
  technical('solarAnzahlModule', 'integer', element.einheit('AnzahlModule'), 'Anzahl der Module'),
  technical(
    'solarLeistungsbegrenzung',
    'label',
    element.einheit('Leistungsbegrenzung'),
    'Begrenzung der Einspeiseleistung',
  ),
  technical(
    'solarEinheitlicheAusrichtung',
    'boolean',
    element.einheit('EinheitlicheAusrichtungUndNeigungswinkel'),
    'Alle Module gleich ausgerichtet und geneigt',
  ),
  technical('solarHauptausrichtung', 'label', element.einheit('Hauptausrichtung'), 'Hauptausrichtung der Module'),
  technical(
    'solarHauptneigung',
    'label',
    element.einheit('HauptausrichtungNeigungswinkel'),
    'Neigung der Hauptausrichtung',
  ),
  technical('solarNebenausrichtung', 'label', element.einheit('Nebenausrichtung'), 'Nebenausrichtung der Module'),
  technical(
    'solarNebenneigung',
    'label',
    element.einheit('NebenausrichtungNeigungswinkel'),
    'Neigung der Nebenausrichtung',
  ),
  technical(
    'solarFlaecheHa',
    'decimal',
    element.einheit('GroesseDerInAnspruchGenommenenFlaecheInHektar'),
    'In Anspruch genommene Fläche',
    'ha',
  ),
  technical('solarpark', 'text', element.einheit('NameDesSolarparks'), 'Name des Solarparks'),
  technical('solarLichteHoeheM', 'decimal', element.einheit('LichteHoehe'), 'Lichte Höhe unter den Modulen', 'm'),
  technical(
    'solarFlaechenmerkmale',
    'list',
    sql`liste(${element.einheit('ZusaetzlicheMerkmaleDerFlaecheUndDerAktuellenFlaechennutzung')})`,
    'Zusätzliche Merkmale der Fläche und ihrer Nutzung',
  ),

  filterable(
    technical(
      'hauptbrennstoff',
      'label',
      element.einheit('Hauptbrennstoff'),
      'Hauptbrennstoff (Biomasse, Verbrennung)',
    ),
  ),
  filterable(technical('biomasseart', 'label', element.einheit('Biomasseart'), 'Art der Biomasse')),
  filterable(
    technical('biomasseTechnologie', 'label', only('biomass', 'Technologie'), 'Technologie der Biomasseeinheit'),
  ),
  filterable(
    technical(
      'mitFlexipraemie',
      'boolean',
      element.eeg('BiogasInanspruchnahmeFlexiPraemie'),
      'Flexibilitätsprämie für Biogas in Anspruch genommen',
    ),
  ),
  filterable(
    technical(
      'leistungserhoehung',
      'boolean',
      element.eeg('BiogasLeistungserhoehung'),
      'Leistungserhöhung im Zusammenhang mit der Flexibilitätsprämie',
    ),
  ),

  filterable(
    technical('wasserkraftart', 'label', element.einheit('ArtDerWasserkraftanlage'), 'Art der Wasserkraftanlage'),
  ),
  filterable(technical('zuflussart', 'label', element.einheit('ArtDesZuflusses'), 'Art des Zuflusses')),
  filterable(
    technical(
      'minderungStromerzeugung',
      'boolean',
      element.einheit('MinderungStromerzeugung'),
      'Auflagen mindern die Stromerzeugung',
    ),
  ),

  filterable(
    technical(
      'geothermieTechnologie',
      'label',
      only('geothermal', 'Technologie'),
      'Technologie der Geothermie- oder Solarthermieeinheit',
    ),
  ),

  technical(
    'kraftwerk',
    'text',
    element.einheit('NameKraftwerk'),
    'Name des Kraftwerks (Wasser, Verbrennung, Kernkraft)',
  ),
  technical('kraftwerksblock', 'text', element.einheit('NameKraftwerksblock'), 'Name des Kraftwerksblocks'),
  filterable(
    technical(
      'verbrennungTechnologie',
      'label',
      only('combustion', 'Technologie'),
      'Technologie der Verbrennungseinheit',
    ),
  ),
  technical('weitererHauptbrennstoff', 'label', element.einheit('WeitererHauptbrennstoff'), 'Weiterer Hauptbrennstoff'),
  technical('weitereBrennstoffe', 'list', sql`liste(${element.einheit('WeitereBrennstoffe')})`, 'Weitere Brennstoffe'),
  technical(
    'kombibetrieb',
    'boolean',
    element.einheit('AnlageIstImKombibetrieb'),
    'Im Kombibetrieb mit anderen Einheiten',
  ),
  technical(
    'kombibetriebSteigerungKw',
    'decimal',
    element.einheit('SteigerungNettonennleistungKombibetrieb'),
    'Steigerung der Nettonennleistung durch Kombibetrieb',
    'kW',
  ),
  technical('baubeginnDatum', 'day', element.einheit('DatumBaubeginn'), 'Baubeginn, tatsächlich oder geplant'),
  technical(
    'sicherheitsbereitschaftDatum',
    'day',
    element.einheit('SicherheitsbereitschaftAbDatum'),
    'Überführung in die Sicherheitsbereitschaft',
  ),
  technical(
    'kwkThermischeLeistungKw',
    'decimal',
    element.kwk('ThermischeNutzleistung'),
    'Thermische Nutzleistung der KWK-Anlage',
    'kW',
  ),
  technical(
    'kwkElektrischeLeistungKw',
    'decimal',
    element.kwk('ElektrischeKwkLeistung'),
    'Elektrische KWK-Leistung der KWK-Anlage',
    'kW',
  ),

  filterable(technical('kernkraftTechnologie', 'label', only('nuclear', 'Technologie'), 'Bauart des Reaktors')),

  filterable(technical('speichertechnologie', 'label', only('storage', 'Technologie'), 'Speichertechnologie')),
  technical('batterietechnologie', 'label', element.einheit('Batterietechnologie'), 'Batterietechnologie'),
  filterable(technical('speicherAcDcKopplung', 'label', element.einheit('AcDcKoppelung'), 'AC- oder DC-Kopplung')),
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
      element.speicher('NutzbareSpeicherkapazitaet'),
      'Nutzbare Kapazität der Speicheranlage; gehört der Anlage, nicht der einzelnen Einheit',
      'kWh',
    ),
    filters: between('speicherkapazitaetMinKwh', 'speicherkapazitaetMaxKwh'),
  },
  technical(
    'speicherMastrNummer',
    'number',
    sql`mastr(${element.einheit('SpeMastrNummer')})`,
    'MaStR-Nummer der Speicheranlage',
  ),
  technical(
    'speicherWechselrichterleistungKw',
    'decimal',
    element.einheit('ZugeordnenteWirkleistungWechselrichter'),
    'Zugeordnete Wirkleistung der Wechselrichter',
    'kW',
  ),
  technical(
    'speicherSolareinheitMastrNummer',
    'number',
    sql`mastr(${element.einheit('GemeinsamRegistrierteSolareinheitMastrNummer')})`,
    'Gemeinsam registrierte Solareinheit',
  ),
  filterable(
    technical(
      'pumpspeichertechnologie',
      'label',
      element.einheit('Pumpspeichertechnologie'),
      'Pumpspeichertechnologie',
    ),
  ),
  technical(
    'pumpleistungKw',
    'decimal',
    element.einheit('PumpbetriebLeistungsaufnahme'),
    'Leistungsaufnahme im Pumpbetrieb',
    'kW',
  ),
  technical(
    'pumpbetriebRegelbar',
    'boolean',
    element.einheit('PumpbetriebKontinuierlichRegelbar'),
    'Pumpbetrieb kontinuierlich regelbar',
  ),
];
