import { CARRIERS } from './carriers.ts';
import { DELAY, DISTRICT_KEY, SHIFT } from './derived.ts';
import { column, element, expr } from './expression.ts';
import { between, dayRange, field, is, oneOf, present, type UnitField } from './field.ts';
import { SIGNAL_IDS } from './signals.ts';

/** The list form of a unit, and the blocks that every carrier has. */

const AT_MUNICIPALITY =
  'Einheiten ohne veröffentlichte Koordinaten zählen am Punkt ihrer Gemeinde; meta.raum der Antwort sagt, wie viele es sind';

const base: UnitField[] = [
  field(
    'mastrNummer',
    'number',
    expr`mastr(${element.einheit('EinheitMastrNummer')})`,
    'MaStR-Nummer der Einheit, beginnt mit SEE',
    {
      sortable: true,
    },
  ),
  field('mastrNummern', 'number', null, 'Genau diese MaStR-Nummern, höchstens 500', {
    read: column('mastrNummer'),
    filters: oneOf('mastrNummern'),
    filterOnly: 'Auswahl über eine Liste von Nummern; gelesen wird mastrNummer',
  }),
  field('einheitTyp', 'label', expr`e.einheitTyp`, 'Energieträger der Einheit', {
    filters: oneOf('einheitTyp'),
    values: CARRIERS,
  }),
  field('name', 'text', element.einheit('NameStromerzeugungseinheit'), 'Anzeigename im Register', {
    privacy: 'free_text',
  }),
  field('betriebsStatus', 'label', element.einheit('EinheitBetriebsstatus'), 'Betriebsstatus im Register', {
    filters: oneOf('betriebsStatus'),
  }),
  field('bruttoleistungKw', 'decimal', element.einheit('Bruttoleistung'), 'Bruttoleistung', {
    unit: 'kW',
    additive: true,
    sortable: true,
    filters: between('leistungMinKw', 'leistungMaxKw'),
  }),
  field('inbetriebnahmedatum', 'day', element.einheit('Inbetriebnahmedatum'), 'Tag der Inbetriebnahme', {
    sortable: true,
    filters: dayRange('inbetriebnahme'),
  }),
  field(
    'geplantesInbetriebnahmedatum',
    'day',
    element.einheit('GeplantesInbetriebnahmedatum'),
    'Geplanter Tag der Inbetriebnahme',
    {
      sortable: true,
      filters: dayRange('geplanteInbetriebnahme'),
    },
  ),
  field('bundesland', 'label', element.einheit('Bundesland'), 'Bundesland des Standorts', {
    filters: oneOf('bundesland'),
  }),
  field('plz', 'text', element.einheit('Postleitzahl'), 'Postleitzahl', {
    filters: [{ name: 'plz', compare: 'prefix' }],
  }),
  field('ort', 'text', element.einheit('Ort'), 'Ort'),
  // Units below 30 kW gross never have coordinates, nor do those of unknown capacity (interface.md, privacy rule 7). The
  // capacity before rounding counts.
  field(
    'latitude',
    'degree',
    expr`CASE WHEN ${element.einheit('Bruttoleistung')} >= 30 AND e.ab30Kw AND ${element.einheit('Laengengrad')} IS NOT NULL THEN ${element.einheit('Breitengrad')} END`,
    'Breite WGS 84; keine unter 30 kW',
    { unit: '°' },
  ),
  field(
    'longitude',
    'degree',
    expr`CASE WHEN ${element.einheit('Bruttoleistung')} >= 30 AND e.ab30Kw AND ${element.einheit('Breitengrad')} IS NOT NULL THEN ${element.einheit('Laengengrad')} END`,
    'Länge WGS 84; keine unter 30 kW',
    { unit: '°' },
  ),
  field('hatKoordinaten', 'boolean', null, 'Ob die Einheit Koordinaten trägt', {
    read: column('latitude'),
    filters: present('hatKoordinaten'),
    filterOnly: 'Auswahl nach Vorhandensein; gelesen werden latitude und longitude',
  }),
  field('bbox', 'text', null, 'Rechteck auf der Karte: minLon,minLat,maxLon,maxLat in Grad', {
    read: column('latitude'),
    filters: [{ name: 'bbox', compare: 'box' }],
    filterOnly: AT_MUNICIPALITY,
  }),
  field('umkreis', 'text', null, 'Umkreis eines Punktes: lon,lat,km, höchstens 200 km', {
    read: column('latitude'),
    filters: [{ name: 'umkreis', compare: 'circle' }],
    filterOnly: AT_MUNICIPALITY,
  }),
  field('polygon', 'text', null, 'Vieleck auf der Karte: Polygon oder MultiPolygon von GeoJSON', {
    read: column('latitude'),
    filters: [{ name: 'polygon', compare: 'polygon' }],
    filterOnly: AT_MUNICIPALITY,
  }),
  field('signals', 'signals', null, 'Kennungen der Signale, die für die Einheit gelten', {
    filters: [{ name: 'signals', compare: 'signals' }],
    values: SIGNAL_IDS,
    hint: 'Nur Signale, die der Organisation freigegeben sind; GET /v1/me nennt sie',
  }),
  field('suche', 'text', null, 'Freitextsuche: jedes Wort kommt in einem Namen, Ort oder einer Nummer vor', {
    filters: [{ name: 'suche', compare: 'search' }],
    filterOnly:
      'Sucht in name, ort, gemeinde, landkreis, plz, windpark, betreiberName und den MaStR-Nummern; ein Treffer sagt nicht, worin',
  }),
];

const standort: UnitField[] = [
  field('landkreis', 'text', element.einheit('Landkreis'), 'Landkreis oder kreisfreie Stadt', {
    filters: [{ name: 'landkreis', compare: 'place' }],
  }),
  field('gemeinde', 'text', element.einheit('Gemeinde'), 'Gemeinde', {
    filters: [{ name: 'gemeinde', compare: 'place' }],
  }),
  field(
    'gemeindeschluessel',
    'text',
    element.einheit('Gemeindeschluessel'),
    'Amtlicher Gemeindeschlüssel, acht Ziffern',
    { hint: 'Gefiltert wird mit gemeinde' },
  ),
  field('kreisschluessel', 'text', null, 'Amtlicher Kreisschlüssel: die ersten fünf Ziffern des Gemeindeschlüssels', {
    read: DISTRICT_KEY.read,
    derive: DISTRICT_KEY.derive,
    hint: 'Gefiltert wird mit landkreis',
  }),
  field(
    'standortEnergietraeger',
    'carriers',
    expr`looked_up.standort`,
    'Energieträger aller Einheiten an der Lokation der Einheit, sie selbst eingeschlossen, ohne endgültig stillgelegte',
    {
      values: CARRIERS,
      filters: [{ name: 'amStandort', compare: 'carriers' }],
      hint: 'Leer ohne Lokation, wie sie geplante Einheiten selten haben. amStandort zusammen mit einheitTyp findet, was beisammensteht: einheitTyp=solar&amStandort=storage',
    },
  ),
];

const betreiber: UnitField[] = [
  field('betreiberName', 'text', expr`betreiber.name`, 'Name des Betreibers; leer bei natürlichen Personen', {
    filters: oneOf('betreiber'),
  }),
  field(
    'betreiberMastrNummer',
    'number',
    expr`mastr(${element.einheit('AnlagenbetreiberMastrNummer')})`,
    'MaStR-Nummer des Betreibers',
    {
      filters: oneOf('betreiberMastrNummer'),
      privacy: 'operator_reference',
    },
  ),
];

const termine: UnitField[] = [
  field('stilllegungsdatum', 'day', element.einheit('DatumEndgueltigeStilllegung'), 'Tag der endgültigen Stilllegung', {
    filters: dayRange('stilllegung'),
  }),
  field(
    'registrierungsdatum',
    'day',
    element.einheit('Registrierungsdatum'),
    'Tag der Registrierung, wie das Register ihn jetzt nennt',
    {
      sortable: true,
      filters: dayRange('registrierung', column('ersteRegistrierung')),
      hint: 'Bei der Inbetriebnahme setzt das Register den Tag neu; registrierungVon und registrierungBis vergleichen mit dem frühesten Tag, der für die Einheit bekannt wurde',
    },
  ),
  field(
    'ibnVerspaetungTage',
    'integer',
    null,
    'Inbetriebnahme gegen den letzten bekannten Plantag; bei überfälligen geplanten Einheiten gegen heute',
    {
      unit: 'Tage',
      read: DELAY.read,
      derive: DELAY.derive,
      filters: [{ name: 'ibnVerspaetungMinTage', compare: 'min' }],
    },
  ),
  field(
    'ibnVerschiebungTage',
    'integer',
    null,
    'Jetziger Plantag gegen den ersten, der für die Einheit bekannt wurde',
    {
      unit: 'Tage',
      read: SHIFT.read,
      derive: SHIFT.derive,
      filters: between('ibnVerschiebungMinTage', 'ibnVerschiebungMaxTage'),
    },
  ),
];

const register: UnitField[] = [
  field('nettonennleistungKw', 'decimal', element.einheit('Nettonennleistung'), 'Nettonennleistung', {
    unit: 'kW',
    additive: true,
    sortable: true,
    filters: between('nettonennleistungMinKw', 'nettonennleistungMaxKw'),
  }),
  field('eegMastrNummer', 'number', expr`mastr(${element.einheit('EegMaStRNummer')})`, 'MaStR-Nummer der EEG-Anlage', {
    filters: present('hatEegMastrNummer'),
  }),
  field(
    'eegZuschlagsnummer',
    'text',
    expr`award.zuschlagsnummer`,
    'Zuschlagsnummer einer EEG-Ausschreibung, Schreibweise vereinheitlicht',
    {
      filters: present('hatEegZuschlagsnummer'),
      hint: 'Zuerst aus dem Register, sonst aus dem Abgleich mit den Zuschlagslisten: dann die des jüngsten Gebotstermins. Alle Zuschläge stehen in ausschreibungen',
    },
  ),
  field('mitKwk', 'boolean', expr`${element.einheit('KwkMaStRNummer')} IS NOT NULL`, 'Gehört zu einer KWK-Anlage', {
    filters: is('mitKwk'),
  }),
  field('kwkMastrNummer', 'number', expr`mastr(${element.einheit('KwkMaStRNummer')})`, 'MaStR-Nummer der KWK-Anlage', {
    filters: present('hatKwkMastrNummer'),
  }),
  field('kwkZuschlagsnummer', 'text', element.kwk('Zuschlagnummer'), 'Zuschlagsnummer einer KWK-Ausschreibung', {
    filters: present('hatKwkZuschlagsnummer'),
  }),
  field('einspeisungsart', 'label', element.einheit('Einspeisungsart'), 'Voll- oder Teileinspeisung', {
    filters: oneOf('einspeisungsart'),
  }),
  field('weic', 'text', element.einheit('Weic'), 'W-EIC der Einheit'),
  field('kraftwerksnummer', 'text', element.einheit('Kraftwerksnummer'), 'Kraftwerksnummer'),
  field(
    'bnetzaNummer',
    'text',
    expr`CASE WHEN starts_with(${element.einheit('Kraftwerksnummer')}, 'BNA') THEN ${element.einheit('Kraftwerksnummer')} END`,
    'Kraftwerksnummer der Bundesnetzagentur (BNA…)',
  ),
  field(
    'anlagenschluesselEeg',
    'text',
    element.eeg('AnlagenschluesselEeg'),
    'Anlagenschlüssel des Netzbetreibers für die EEG-Anlage',
  ),
  field('nepGelistet', 'boolean', expr`looked_up.nepGelistet`, 'Im Netzentwicklungsplan genannt', {
    filters: is('nepGelistet'),
    hint: 'Aus einer Tabelle, die der Betreiber des Dienstes lädt; ohne sie gilt keine Einheit als genannt',
  }),
  field(
    'datumLetzteAktualisierung',
    'time',
    element.einheit('DatumLetzteAktualisierung'),
    'Letzte Änderung des Datensatzes laut Register',
  ),
];

const netz: UnitField[] = [
  field('netzbetreiber', 'text', expr`anschluss.netzbetreiber`, 'Name des Anschlussnetzbetreibers', {
    filters: oneOf('netzbetreiber'),
  }),
  field(
    'netzbetreiberMastrNummer',
    'number',
    expr`mastr(anschluss.netzbetreiberNummer)`,
    'MaStR-Nummer des Anschlussnetzbetreibers',
  ),
  field(
    'netzbetreiberpruefung',
    'label',
    element.einheit('NetzbetreiberpruefungStatus'),
    'Stand der Prüfung durch den Netzbetreiber',
    {
      filters: oneOf('netzbetreiberpruefung'),
    },
  ),
  field(
    'netzbetreiberpruefungDatum',
    'day',
    element.einheit('NetzbetreiberpruefungDatum'),
    'Tag der letzten Prüfung durch den Netzbetreiber',
  ),
  field('spannungsebene', 'label', expr`anschluss.spannungsebene`, 'Spannungsebene des Netzanschlusspunkts', {
    filters: oneOf('spannungsebene'),
  }),
  field(
    'netzanschlusspunktMastrNummer',
    'number',
    expr`mastr(anschluss.punkt)`,
    'MaStR-Nummer des Netzanschlusspunkts',
  ),
  field('bilanzierungsgebiet', 'text', expr`anschluss.bilanzierungsgebiet`, 'Bilanzierungsgebiet: Name, sonst Y-EIC', {
    filters: oneOf('bilanzierungsgebiet'),
  }),
  field('regelzone', 'label', expr`anschluss.regelzone`, 'Regelzone', { filters: oneOf('regelzone') }),
  field(
    'lokationMastrNummer',
    'number',
    expr`mastr(${element.einheit('LokationMaStRNummer')})`,
    'MaStR-Nummer der Lokation',
  ),
  field(
    'netzanschlussEnergietraeger',
    'carriers',
    expr`looked_up.netzanschluss`,
    'Energieträger aller Einheiten mit demselben Netzanschlusspunkt, sie selbst eingeschlossen, ohne endgültig stillgelegte',
    {
      values: CARRIERS,
      filters: [{ name: 'amNetzanschluss', compare: 'carriers' }],
      hint: 'Leer ohne Netzanschlusspunkt. Das Register nennt Punkte je Lokation, nicht je Einheit: verglichen wird netzanschlusspunktMastrNummer',
    },
  ),
];

const genehmigung: UnitField[] = [
  field(
    'genehmigungMastrNummer',
    'number',
    expr`mastr(${element.einheit('GenMastrNummer')})`,
    'MaStR-Nummer der Genehmigung',
    {
      filters: present('hatGenehmigung'),
    },
  ),
  field('genehmigungArt', 'label', element.genehmigung('Art'), 'Art der Genehmigung'),
  field('genehmigungDatum', 'day', element.genehmigung('Datum'), 'Tag, ab dem die Genehmigung gilt'),
  field('genehmigungBehoerde', 'text', element.genehmigung('Behoerde'), 'Behörde'),
  field('genehmigungAktenzeichen', 'text', element.genehmigung('Aktenzeichen'), 'Aktenzeichen der Behörde', {
    privacy: 'free_text',
  }),
  field('genehmigungFrist', 'day', element.genehmigung('Frist'), 'Frist, bis zu der begonnen werden muss'),
];

const inBlock = (block: UnitField['block'], fields: UnitField[]): UnitField[] =>
  fields.map((entry) => ({ ...entry, block }));

export const BASE_FIELDS: readonly UnitField[] = [
  ...base,
  ...inBlock('standort', standort),
  ...inBlock('betreiber', betreiber),
  ...inBlock('termine', termine),
  ...inBlock('register', register),
  ...inBlock('netz', netz),
  ...inBlock('genehmigung', genehmigung),
];
