import { type ElementExpression, element, expr } from './expression.ts';
import { field, is, type Kind, oneOf, type UnitField } from './field.ts';

const { einheit, eeg, kwk } = element;

/** Block `technik`: the technical data of the unit's own energy carrier; the fields of other carriers are null. */

export const technical = (
  name: string,
  kind: Kind,
  source: ElementExpression,
  meaning: string,
  unit: string | null = null,
): UnitField => field(name, kind, source, meaning, { block: 'technik', unit });

/** Adds a filter under the name of the field: a flag or a list of values. */
export const filterable = (entry: UnitField): UnitField => ({
  ...entry,
  filters: entry.kind === 'boolean' ? is(entry.name) : oneOf(entry.name),
});

/** Values of units may be added up. */
const additive = (entry: UnitField): UnitField => ({ ...entry, additive: true });

/** Several files share an element under one name that means a different field for each carrier. */
export const only = (carrier: string, name: string): ElementExpression =>
  expr`CASE WHEN e.einheitTyp = '${carrier}' THEN ${einheit(name)} END`;

export const TECHNICAL_FIELDS: readonly UnitField[] = [
  filterable({
    ...technical('energietraeger', 'label', einheit('Energietraeger'), 'Energieträger, wie das Register ihn nennt'),
    hint: 'Feiner als einheitTyp: geothermal ist Geothermie und Solarthermie, combustion sind die Brennstoffe, Gase und Wärme',
  }),
  technical(
    'anschlussHochspannung',
    'boolean',
    einheit('AnschlussAnHoechstOderHochSpannung'),
    'Anschluss an Höchst- oder Hochspannung',
  ),
  technical(
    'fernsteuerbarNetzbetreiber',
    'boolean',
    einheit('FernsteuerbarkeitNb'),
    'Durch einen Netzbetreiber fernsteuerbar',
  ),
  technical(
    'fernsteuerbarDirektvermarkter',
    'boolean',
    einheit('FernsteuerbarkeitDv'),
    'Durch einen Direktvermarkter fernsteuerbar',
  ),
  filterable(
    technical('buergerenergie', 'boolean', einheit('Buergerenergie'), 'Bürgerenergiegesellschaft (Wind, Solar)'),
  ),
  technical('notstromaggregat', 'boolean', only('combustion', 'Notstromaggregat'), 'Notstromaggregat (Verbrennung)'),
  technical('einsatzort', 'label', einheit('Einsatzort'), 'Einsatzort eines Notstromaggregats'),
  filterable(
    technical(
      'grenzkraftwerk',
      'boolean',
      einheit('BestandteilGrenzkraftwerk'),
      'Bestandteil eines Grenzkraftwerks (Wasser, Verbrennung, Speicher)',
    ),
  ),
  additive(
    technical(
      'nettonennleistungDeutschlandKw',
      'decimal',
      einheit('NettonennleistungDeutschland'),
      'Nettonennleistung, die in ein deutsches Netz einspeisen kann',
      'kW',
    ),
  ),
  technical('netzreserve', 'boolean', einheit('NetzreserveZugeordnet'), 'Der Netzreserve zugeordnet'),
  technical('netzreserveDatum', 'day', einheit('DatumNetzreserve'), 'Tag der Überführung in die Netzreserve'),
  technical(
    'kapazitaetsreserve',
    'boolean',
    einheit('KapazitaetsreserveZugeordnet'),
    'Der Kapazitätsreserve zugeordnet',
  ),
  technical(
    'kapazitaetsreserveDatum',
    'day',
    einheit('DatumKapazitaetsreserve'),
    'Tag der Überführung in die Kapazitätsreserve',
  ),
  technical(
    'inbetriebnahmeAktuellerStandort',
    'day',
    einheit('InbetriebnahmedatumAmAktuellenStandort'),
    'Inbetriebnahme am jetzigen Standort, bei versetzten Einheiten',
  ),
  technical(
    'voruebergehendeStilllegungDatum',
    'day',
    einheit('DatumBeginnVoruebergehendeStilllegung'),
    'Beginn einer vorübergehenden Stilllegung',
  ),
  technical('wiederaufnahmeDatum', 'day', einheit('DatumWiederaufnahmeBetrieb'), 'Wiederaufnahme des Betriebs'),
  technical('betreiberwechselDatum', 'day', einheit('DatumDesBetreiberwechsels'), 'Tag des Betreiberwechsels'),
  technical(
    'vorherigeFlaechennutzung',
    'label',
    einheit('UeberwiegendeNutzungsartDerFlaecheVorErrichtung'),
    'Überwiegende Nutzung der Fläche vor der Errichtung (Wind, Solar)',
  ),
  technical(
    'vorherigerFlaechennutzungsbereich',
    'label',
    einheit('VorherigerNutzungsartenbereichDerFlaeche'),
    'Bereich der vorherigen Flächennutzung (Wind, Solar)',
  ),

  filterable(technical('windSeelage', 'label', einheit('WindAnLandOderAufSee'), 'Wind an Land oder auf See')),
  technical('windMeer', 'label', einheit('Seelage'), 'Nordsee oder Ostsee'),
  technical(
    'windGebiet',
    'label',
    expr`coalesce(${einheit('GebietNachDemFlaechenentwicklungsplanNordsee')}, ${einheit('GebietNachDemFlaechenentwicklungsplanOstsee')})`,
    'Gebiet nach dem Flächenentwicklungsplan',
  ),
  filterable(technical('windpark', 'text', einheit('NameWindpark'), 'Name des Windparks')),
  filterable(
    technical(
      'windHersteller',
      'label',
      expr`windname.hersteller`,
      'Hersteller der Windenergieanlage, vereinheitlicht',
    ),
  ),
  filterable(technical('windTypenbezeichnung', 'text', expr`windname.typ`, 'Typenbezeichnung, vereinheitlicht')),
  technical('windHerstellerRegister', 'label', einheit('Hersteller'), 'Hersteller, wie das Register ihn nennt'),
  technical(
    'windTypenbezeichnungRegister',
    'text',
    einheit('Typenbezeichnung'),
    'Typenbezeichnung, wie sie im Register steht',
  ),
  technical('windTechnologie', 'label', only('wind', 'Technologie'), 'Bauart der Windenergieanlage'),
  technical('windNabenhoeheM', 'decimal', einheit('Nabenhoehe'), 'Nabenhöhe', 'm'),
  technical('windRotordurchmesserM', 'decimal', einheit('Rotordurchmesser'), 'Rotordurchmesser', 'm'),
  technical('windWassertiefeM', 'decimal', einheit('Wassertiefe'), 'Wassertiefe', 'm'),
  technical('windKuestenentfernungKm', 'decimal', einheit('Kuestenentfernung'), 'Entfernung von der Küste', 'km'),
  technical('windNachtkennzeichnung', 'boolean', einheit('Nachtkennzeichnung'), 'Bedarfsgesteuerte Nachtkennzeichnung'),
  technical('windRotorblattenteisung', 'boolean', einheit('Rotorblattenteisungssystem'), 'Rotorblattenteisungssystem'),
  technical(
    'windAuflageLeistung',
    'boolean',
    einheit('AuflageAbschaltungLeistungsbegrenzung'),
    'Auflagen zu Abschaltung oder Leistungsbegrenzung',
  ),
  technical(
    'windAuflageSchallNachts',
    'boolean',
    einheit('AuflagenAbschaltungSchallimmissionsschutzNachts'),
    'Auflage: Schallschutz nachts',
  ),
  technical(
    'windAuflageSchallTagsueber',
    'boolean',
    einheit('AuflagenAbschaltungSchallimmissionsschutzTagsueber'),
    'Auflage: Schallschutz tagsüber',
  ),
  technical('windAuflageSchattenwurf', 'boolean', einheit('AuflagenAbschaltungSchattenwurf'), 'Auflage: Schattenwurf'),
  technical('windAuflageTierschutz', 'boolean', einheit('AuflagenAbschaltungTierschutz'), 'Auflage: Tierschutz'),
  technical('windAuflageEiswurf', 'boolean', einheit('AuflagenAbschaltungEiswurf'), 'Auflage: Eiswurf'),
  technical('windAuflageSonstige', 'boolean', einheit('AuflagenAbschaltungSonstige'), 'Sonstige Auflagen'),
  technical(
    'flugwindTechnologie',
    'label',
    einheit('TechnologieFlugwindenergieanlage'),
    'Bauart der Flugwindenergieanlage',
  ),
  technical('flugwindHoeheM', 'decimal', einheit('Flughoehe'), 'Flughöhe', 'm'),
  technical('flugwindRadiusM', 'decimal', einheit('Flugradius'), 'Flugradius', 'm'),

  filterable(
    technical(
      'solarLage',
      'label',
      einheit('ArtDerSolaranlage'),
      'Art der Solaranlage: Gebäude, Freifläche, steckerfertig …',
    ),
  ),
  filterable(technical('solarNutzungsbereich', 'label', einheit('Nutzungsbereich'), 'Nutzungsbereich des Gebäudes')),
  field(
    'solarSpeicherVorhanden',
    'label',
    expr`CASE WHEN e.einheitTyp = 'solar' THEN CASE ${einheit('SpeicherAmGleichenOrt')} WHEN true THEN 'ja' WHEN false THEN 'nein' ELSE 'ka' END END`,
    'Speicher am gleichen Ort; ka = keine Angabe',
    { block: 'technik', values: ['ja', 'nein', 'ka'], filters: oneOf('solarSpeicherVorhanden') },
  ),
  technical(
    'solarWechselrichterleistungKw',
    'decimal',
    einheit('ZugeordneteWirkleistungWechselrichter'),
    'Zugeordnete Wirkleistung der Wechselrichter',
    'kW',
  ),
  additive(technical('solarAnzahlModule', 'integer', einheit('AnzahlModule'), 'Anzahl der Module')),
  technical('solarLeistungsbegrenzung', 'label', einheit('Leistungsbegrenzung'), 'Begrenzung der Einspeiseleistung'),
  technical(
    'solarEinheitlicheAusrichtung',
    'boolean',
    einheit('EinheitlicheAusrichtungUndNeigungswinkel'),
    'Alle Module gleich ausgerichtet und geneigt',
  ),
  technical('solarHauptausrichtung', 'label', einheit('Hauptausrichtung'), 'Hauptausrichtung der Module'),
  technical('solarHauptneigung', 'label', einheit('HauptausrichtungNeigungswinkel'), 'Neigung der Hauptausrichtung'),
  technical('solarNebenausrichtung', 'label', einheit('Nebenausrichtung'), 'Nebenausrichtung der Module'),
  technical('solarNebenneigung', 'label', einheit('NebenausrichtungNeigungswinkel'), 'Neigung der Nebenausrichtung'),
  technical(
    'solarFlaecheHa',
    'decimal',
    einheit('GroesseDerInAnspruchGenommenenFlaecheInHektar'),
    'In Anspruch genommene Fläche',
    'ha',
  ),
  technical('solarpark', 'text', einheit('NameDesSolarparks'), 'Name des Solarparks'),
  technical('solarLichteHoeheM', 'decimal', einheit('LichteHoehe'), 'Lichte Höhe unter den Modulen', 'm'),
  technical(
    'solarFlaechenmerkmale',
    'list',
    expr`split_list(${einheit('ZusaetzlicheMerkmaleDerFlaecheUndDerAktuellenFlaechennutzung')})`,
    'Zusätzliche Merkmale der Fläche und ihrer Nutzung',
  ),

  filterable(
    technical('hauptbrennstoff', 'label', einheit('Hauptbrennstoff'), 'Hauptbrennstoff (Biomasse, Verbrennung)'),
  ),
  filterable(technical('biomasseart', 'label', einheit('Biomasseart'), 'Art der Biomasse')),
  filterable(
    technical('biomasseTechnologie', 'label', only('biomass', 'Technologie'), 'Technologie der Biomasseeinheit'),
  ),
  filterable(
    technical(
      'mitFlexipraemie',
      'boolean',
      eeg('BiogasInanspruchnahmeFlexiPraemie'),
      'Flexibilitätsprämie für Biogas in Anspruch genommen',
    ),
  ),
  filterable(
    technical(
      'leistungserhoehung',
      'boolean',
      eeg('BiogasLeistungserhoehung'),
      'Leistungserhöhung im Zusammenhang mit der Flexibilitätsprämie',
    ),
  ),

  filterable(technical('wasserkraftart', 'label', einheit('ArtDerWasserkraftanlage'), 'Art der Wasserkraftanlage')),
  filterable(technical('zuflussart', 'label', einheit('ArtDesZuflusses'), 'Art des Zuflusses')),
  filterable(
    technical(
      'minderungStromerzeugung',
      'boolean',
      einheit('MinderungStromerzeugung'),
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

  technical('kraftwerk', 'text', einheit('NameKraftwerk'), 'Name des Kraftwerks (Wasser, Verbrennung, Kernkraft)'),
  technical('kraftwerksblock', 'text', einheit('NameKraftwerksblock'), 'Name des Kraftwerksblocks'),
  filterable(
    technical(
      'verbrennungTechnologie',
      'label',
      only('combustion', 'Technologie'),
      'Technologie der Verbrennungseinheit',
    ),
  ),
  technical('weitererHauptbrennstoff', 'label', einheit('WeitererHauptbrennstoff'), 'Weiterer Hauptbrennstoff'),
  technical('weitereBrennstoffe', 'list', expr`split_list(${einheit('WeitereBrennstoffe')})`, 'Weitere Brennstoffe'),
  technical('kombibetrieb', 'boolean', einheit('AnlageIstImKombibetrieb'), 'Im Kombibetrieb mit anderen Einheiten'),
  technical(
    'kombibetriebSteigerungKw',
    'decimal',
    einheit('SteigerungNettonennleistungKombibetrieb'),
    'Steigerung der Nettonennleistung durch Kombibetrieb',
    'kW',
  ),
  technical('baubeginnDatum', 'day', einheit('DatumBaubeginn'), 'Baubeginn, tatsächlich oder geplant'),
  technical(
    'sicherheitsbereitschaftDatum',
    'day',
    einheit('SicherheitsbereitschaftAbDatum'),
    'Überführung in die Sicherheitsbereitschaft',
  ),
  technical(
    'kwkThermischeLeistungKw',
    'decimal',
    kwk('ThermischeNutzleistung'),
    'Thermische Nutzleistung der KWK-Anlage',
    'kW',
  ),
  technical(
    'kwkElektrischeLeistungKw',
    'decimal',
    kwk('ElektrischeKwkLeistung'),
    'Elektrische KWK-Leistung der KWK-Anlage',
    'kW',
  ),

  filterable(technical('kernkraftTechnologie', 'label', only('nuclear', 'Technologie'), 'Bauart des Reaktors')),
];
