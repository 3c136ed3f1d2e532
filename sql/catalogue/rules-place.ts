import type { Rule } from './rule.ts';

/** Rules about places. Measured on the units with coordinates, and 11,291 keys, of the export of 2026-08-22. */

/** The first two digits of the postal codes of each state, by the first two of its municipality keys; border cases included. */
const POSTCODES_OF_STATES = {
  '01': '21 22 23 24 25 27',
  '02': '20 21 22 25 27',
  '03': '19 21 26 27 28 29 30 31 32 33 34 37 38 39 48 49',
  '04': '27 28',
  '05': '31 32 33 34 35 37 40 41 42 44 45 46 47 48 49 50 51 52 53 54 57 58 59',
  '06': '34 35 36 37 55 56 57 59 60 61 63 64 65 68 69 97 99',
  '07': '35 51 53 54 55 56 57 65 66 67 76',
  '08': '64 68 69 70 71 72 73 74 75 76 77 78 79 86 87 88 89 91 97',
  '09': '07 36 63 64 74 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98',
  '10': '54 66',
  '11': '10 12 13 14 15 16',
  '12': '01 02 03 04 06 12 13 14 15 16 17 19 39',
  '13': '16 17 18 19 21 23',
  '14': '01 02 03 04 06 07 08 09 95',
  '15': '04 06 07 14 29 38 39 99',
  '16': '04 06 07 08 36 37 95 96 97 98 99',
} as const;

const pairs = Object.entries(POSTCODES_OF_STATES).flatMap(([state, codes]) =>
  codes.split(' ').map((code) => `'${state}${code}'`),
);

export const PLACE_RULES = {
  koordinaten_null: {
    bit: 15,
    name: 'Koordinaten null',
    description: 'Breite oder Länge ist mit 0 angegeben',
    english: 'Latitude or longitude is given as 0',
    severity: 'fehler',
    fields: ['latitude', 'longitude'],
    bounds: {},
    condition: 'latitude = 0 OR longitude = 0',
    source: 'Kein Ort Deutschlands liegt dort',
  },
  koordinaten_vertauscht: {
    bit: 16,
    name: 'Breite und Länge vertauscht',
    description: 'Vertauscht liegen Breite und Länge im Gebiet Deutschlands',
    english: 'Swapped, latitude and longitude lie in the area of Germany',
    severity: 'fehler',
    fields: ['latitude', 'longitude'],
    bounds: { laengeAb: 3, laengeBis: 16, breiteAb: 47, breiteBis: 56 },
    condition: 'latitude BETWEEN $laengeAb AND $laengeBis AND longitude BETWEEN $breiteAb AND $breiteBis',
    source: 'Rechteck um Deutschland und seine Wirtschaftszone',
  },
  koordinaten_ausserhalb_deutschland: {
    bit: 17,
    name: 'Koordinaten außerhalb Deutschlands',
    description:
      'Das Register nennt ein Bundesland, die Koordinaten liegen aber außerhalb Deutschlands und seiner Wirtschaftszone',
    english: 'The register names a state, yet the coordinates lie outside of Germany and its economic zone',
    severity: 'fehler',
    fields: ['latitude', 'longitude', 'bundesland'],
    bounds: { breiteAb: 47.2, breiteBis: 55.95, laengeAb: 3.3, laengeBis: 15.1 },
    condition: `bundesland IS NOT NULL AND latitude IS NOT NULL
      AND NOT (latitude BETWEEN $breiteAb AND $breiteBis AND longitude BETWEEN $laengeAb AND $laengeBis)`,
    source: 'Rechteck um Deutschland und seine Wirtschaftszone',
  },
  koordinaten_ganze_grad: {
    bit: 18,
    name: 'Koordinaten nur in ganzen Grad',
    description: 'Breite und Länge sind in ganzen Grad angegeben; der Ort kann Dutzende Kilometer entfernt sein',
    english: 'Latitude and longitude are given in whole degrees; the place may be dozens of kilometres away',
    severity: 'fehler',
    fields: ['latitude', 'longitude'],
    bounds: {},
    condition: 'latitude = floor(latitude) AND longitude = floor(longitude)',
    source: 'Gemessen: alle solchen Punkte liegen außerhalb ihrer Gemeinde',
  },
  gemeinde_anderes_bundesland: {
    bit: 19,
    name: 'Gemeindeschlüssel eines anderen Bundeslands',
    description: 'Der Gemeindeschlüssel gehört nicht zum Bundesland',
    english: 'The municipality key does not belong to the state',
    severity: 'fehler',
    fields: ['gemeindeschluessel', 'bundesland'],
    bounds: {},
    condition: 'landschluessel <> left(gemeindeschluessel, 2)',
    source: 'Die ersten beiden Ziffern des Schlüssels nennen das Land; 0 von 11.291 weichen ab',
  },
  plz_anderes_bundesland: {
    bit: 20,
    name: 'Postleitzahl eines anderen Bundeslands',
    description: 'Postleitzahlen, die so beginnen, gibt es in diesem Bundesland nicht',
    english: 'There are no postal codes that begin so in this state',
    severity: 'warnung',
    fields: ['plz', 'bundesland'],
    bounds: {},
    condition: `length(plz) = 5 AND landschluessel || left(plz, 2) NOT IN (${pairs.join(', ')})`,
    source: 'Leitregionen der Bundesländer mit ihren Grenzfällen: 161 Paare',
  },
} as const satisfies Readonly<Record<string, Rule>>;
