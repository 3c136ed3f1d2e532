/** Names of units and invented names of firms, in the spellings that people use. */
import {
  AT_SEA,
  BIOGAS,
  EMERGENCY,
  GAS_SITE,
  GASES,
  GROUND,
  HOME_BATTERY,
  HOME_ROOF,
  type Kind,
  LARGE_BATTERY,
  LARGE_CONSUMER,
  LARGE_ROOF,
  MEDIUM_ENGINE,
  ON_LAND,
  PLUG_IN,
  PLUG_IN_BATTERY,
  POWER_STATION,
  PUMPED_HYDRO,
  REACTOR,
  RUN_OF_RIVER,
  SMALL_ENGINE,
} from './kinds.ts';
import { bits, pick, roll } from './random.ts';
import type { Region } from './regions.ts';
import { escapeText } from './text.ts';

/** Templates: {t} town, {n} small number, {m} municipality. */
const UNIT_NAMES = new Map<Kind, readonly string[]>([
  [
    PLUG_IN,
    [
      'Balkonkraftwerk',
      'BKW',
      'Balkon',
      'Balkonkraftwerk {n}',
      'Mini-PV',
      'Balkon-PV',
      'Terrasse',
      'Gartenhaus',
      'Stecker Solar',
    ],
  ],
  [
    HOME_ROOF,
    [
      'PV-Anlage',
      'Hausdach',
      'PV',
      'Photovoltaikanlage',
      'Dach',
      'PV Anlage {t}',
      'Solaranlage',
      'PV Dach Süd',
      'PV-Anlage Dach',
      'Garage',
      'Carport',
      'PV {n}',
    ],
  ],
  [
    LARGE_ROOF,
    [
      'Halle {n}',
      'PV Halle',
      'PV-Dachanlage {t}',
      'Logistikzentrum {t}',
      'Dach Werk {n}',
      'Stall {n}',
      'Maschinenhalle',
    ],
  ],
  [GROUND, ['Solarpark {t}', 'SP {t} {n}', 'PV-Park {t}', 'Freifläche {t} {n}', 'Solarpark {t} II', 'PVA {t} BA{n}']],
  [PLUG_IN_BATTERY, ['Balkonspeicher', 'Speicher', 'Speicher Balkon', 'Solarbank']],
  [
    HOME_BATTERY,
    ['Speicher', 'Stromspeicher', 'Batteriespeicher', 'Batterie', 'Hausspeicher', 'Speicher {n}', 'Heimspeicher'],
  ],
  [LARGE_BATTERY, ['Batteriespeicher {t}', 'BESS {t}', 'BESS {t} {n}', 'Großspeicher {t}', 'Speicherpark {t}']],
  [PUMPED_HYDRO, ['PSW {t} Maschine {n}', 'Pumpspeicherwerk {t} M{n}']],
  [ON_LAND, ['WEA {n}', 'WEA {n} {t}', 'WKA {t} {n}', 'WP {t} WEA {n}', 'Windkraftanlage {t}', '{t} {n}']],
  [AT_SEA, ['WEA {n}', 'OWEA {n}', 'WTG {n}']],
  [SMALL_ENGINE, ['BHKW', 'Brennstoffzelle', 'BHKW {n}', 'Dachs', 'Heizung', 'Keller']],
  [MEDIUM_ENGINE, ['BHKW', 'BHKW {n}', 'BHKW {t}', 'Heizkraftwerk {t}', 'Modul {n}', 'HKW {t} Motor {n}']],
  [EMERGENCY, ['NEA {n}', 'Notstromaggregat', 'Netzersatzanlage {t}', 'NEA Klinikum {t}']],
  [POWER_STATION, ['Kraftwerk {t} Block {n}', 'HKW {t}', 'GuD {t}', 'Industriekraftwerk {t}']],
  [BIOGAS, ['BHKW {n}', 'Biogasanlage {t}', 'BGA {t}', 'BHKW {n} Biogas', 'Satelliten-BHKW {t}']],
  [RUN_OF_RIVER, ['Wasserkraftanlage {t}', 'WKA Mühle', 'Turbine {n}', 'Obere Mühle', 'Sägewerk']],
  [GASES, ['BHKW {n} Kläranlage', 'Grubengas-BHKW {t}', 'Klärwerk {t}', 'Geothermie {t}']],
  [REACTOR, ['Kernkraftwerk {t} {n}']],
  [LARGE_CONSUMER, ['Werk {t}', 'Elektrostahlwerk {t}', 'Chemiepark {t}', 'Umrichterwerk {t}']],
  [GAS_SITE, ['Anlage {t}', '{t} {n}', 'Station {t}']],
]);
const ANY_NAMES = [
  'Anlage {n}',
  'Anlage',
  '{t}',
  'Erzeugungsanlage {t}',
  'Hauptanlage',
  'Nebengebäude',
  'Scheune',
  'Halle',
  'Werkstatt',
  'Stall',
];

/** Quirky texts as they occur: line breaks, double blanks, full-width ampersand, signs outside the basic plane. */
const ODD_NAMES = [
  'Haus ＆ Hof',
  'PV  Dach  {t}',
  'Sonnenschein ☀️',
  'Solar 🌞 {t}',
  'Anlage "Südhang"',
  'PV < 10 kW & Speicher',
  "Peter's Halle",
  ' Dach Nord ',
  'Ærø–Straße Œuvre',
  'Scheune\r\nNeubau',
  '𝒮olar {t}',
];

function fill(template: string, region: Region, base: number): string {
  if (!template.includes('{')) return template;
  return template
    .replace('{t}', region.town)
    .replace('{m}', region.municipality)
    .replace('{n}', String(1 + (bits(base, 95) % 9)));
}

/** Name of a unit as the text of an element; line breaks are character references. */
export function unitName(kind: Kind, region: Region, base: number): string {
  const template =
    roll(base, 91) < 0.0015 ? pick(base, 92, ODD_NAMES) : pick(base, 92, UNIT_NAMES.get(kind) ?? ANY_NAMES);
  return freeText(fill(template, region, base));
}

/** Escapes free text; line breaks as `&#13;&#10;`. */
export function freeText(text: string): string {
  return escapeText(text).replaceAll('\r\n', '&#13;&#10;');
}

const FIRM_BY_KIND = new Map<Kind, readonly string[]>([
  [
    GROUND,
    [
      'Solarpark {t} GmbH & Co. KG',
      'Sonnenfeld {t} GmbH & Co. KG',
      'Solarkraft {t} UG (haftungsbeschränkt) & Co. KG',
      'Bürgersolar {t} eG',
      'SP {t} Verwaltungs GmbH',
    ],
  ],
  [
    ON_LAND,
    [
      'Windpark {t} GmbH & Co. KG',
      'Windkraft {t} GmbH & Co. KG',
      'Bürgerwind {t} GmbH & Co. KG',
      'WP {t} Betriebs GmbH',
      'Windenergie {t} Infrastruktur GbR',
    ],
  ],
  [AT_SEA, ['OWP {t} Delta GmbH', 'Seewind {t} GmbH & Co. KG', 'Hochseewind {t} AG']],
  [
    BIOGAS,
    [
      'Biogas {t} GmbH & Co. KG',
      'Bioenergie {t} GmbH',
      'Agrar {t} eG',
      'Landwirtschaftsbetrieb {t} GbR',
      'Naturenergie {t} KG',
    ],
  ],
  [
    LARGE_BATTERY,
    ['Speicherkraft {t} GmbH', 'BESS {t} GmbH & Co. KG', 'Batteriepark {t} GmbH', 'Netzspeicher {t} Projekt GmbH'],
  ],
  [RUN_OF_RIVER, ['Wasserkraft {t} GmbH', 'Mühlenwerke {t} KG', 'Elektrizitätswerk {t} eG']],
]);
const FIRMS = [
  'Autohaus {t} GmbH',
  'Wohnungsgenossenschaft {t} eG',
  'Stadtwerke {m} GmbH',
  'Gemeinde {m}',
  'Energiegenossenschaft {t} eG',
  'Metallbau {t} GmbH & Co. KG',
  'Hofgut {t} GbR',
  'Landhandel {t} GmbH',
  'Kirchengemeinde {t}',
  'Sportverein {t} e.V.',
  'Holzwerke {t} GmbH & Co. KG',
  'Klinikum {m} gGmbH',
  'Möbelhaus {t} KG',
  'Abwasserverband {m}',
  'Druckerei {t} GmbH',
  'Spedition {t} GmbH & Co. KG',
];
const FIRMS_AFTER = [
  'Sonnenkraft Beteiligung {n} GmbH & Co. KG',
  'Grünstrom {t} Invest GmbH',
  'Regenerative Energien {t} GmbH',
  'Ökoenergie {t} Bestand GmbH',
];
const POOL_HEADS = [
  'Nordlicht',
  'Alpenstrom',
  'Rheinkraft',
  'Hansewind',
  'Solaris',
  'Terrawatt',
  'Grünwerk',
  'Helios',
  'Elbkraft',
  'Havelland',
  'Auenwind',
  'Lumen',
];
const POOL_TAILS = [
  'Energie AG',
  'Erneuerbare GmbH',
  'Beteiligungs GmbH & Co. KG',
  'Projekt {n} GmbH & Co. KG',
  'Asset GmbH',
  'Invest {n} GmbH',
  'Kraftwerke SE',
  'Contracting GmbH',
];

/** Firm of a single site. */
export function firmName(kind: Kind, region: Region, base: number, successor: boolean): string {
  const list = successor ? FIRMS_AFTER : roll(base, 96) < 0.75 ? (FIRM_BY_KIND.get(kind) ?? FIRMS) : FIRMS;
  const name = fill(pick(base, 97, list), region, base);
  const odd = roll(base, 98);
  if (odd < 0.01) return name.replace('&', '＆');
  if (odd < 0.02) return name.replace(' ', '  ');
  return name;
}

/** Firm with many sites. */
export function poolName(base: number): string {
  return `${pick(base, 96, POOL_HEADS)} ${pick(base, 97, POOL_TAILS).replace('{n}', String(1 + (bits(base, 98) % 60)))}`;
}

/** Legal form (catalogue id) that a firm name ends with; 465 "other" for the rest. */
export function legalForm(name: string): number {
  for (const [ending, id] of LEGAL_FORMS) if (name.endsWith(ending)) return id;
  return 465;
}

const LEGAL_FORMS: readonly (readonly [string, number])[] = [
  ['UG (haftungsbeschränkt) & Co. KG', 461],
  ['GmbH & Co. KG', 430],
  ['GmbH ＆ Co. KG', 430],
  ['gGmbH', 466],
  ['GmbH', 429],
  ['eG', 423],
  ['e.V.', 425],
  ['GbR', 428],
  ['AG', 409],
  ['SE', 452],
  ['KG', 438],
];

/** Streets of invented addresses. */
const STREETS = [
  'Hauptstraße',
  'Industriestraße',
  'Am Bahnhof',
  'Dorfstraße',
  'Schulstraße',
  'Gewerbepark',
  'Robert-Bosch-Straße',
  'Lindenallee',
  'Mühlenweg',
  'Am Sportplatz',
  'Windpark',
  'Solarpark',
  'An der B 4',
];

export function street(base: number): string {
  return pick(base, 99, STREETS);
}
