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

/** Beyond this a point counts as outside of a municipality: so far its borders may be off. */
export const OUTSIDE_M = 500;

const BORDERS =
  'Gemeindegrenzen des BKG (VG250), deren Vereinfachung die Abstände um 18 m (Median), 146 m (95 %) und 238 m (99 %) ändert';
const BORDERS_IN_ENGLISH =
  'Borders of municipalities by BKG (VG250), whose simplification changes distances by 18 m (median), 146 m (95 %) and 238 m (99 %)';

export const PLACE_RULES = {
  koordinaten_null: {
    bit: 15,
    name: 'Koordinaten null',
    title: 'Coordinates of zero',
    description: 'Breite oder Länge ist mit 0 angegeben',
    english: 'Latitude or longitude is given as 0',
    severity: 'fehler',
    fields: ['latitude', 'longitude'],
    bounds: {},
    condition: 'latitude = 0 OR longitude = 0',
    source: 'Kein Ort Deutschlands liegt dort',
    sourceInEnglish: 'No place of Germany lies there',
  },
  koordinaten_vertauscht: {
    bit: 16,
    name: 'Breite und Länge vertauscht',
    title: 'Latitude and longitude exchanged',
    description: 'Vertauscht liegen Breite und Länge im Gebiet Deutschlands',
    english: 'Swapped, latitude and longitude lie in the area of Germany',
    severity: 'fehler',
    fields: ['latitude', 'longitude'],
    bounds: { laengeAb: 3, laengeBis: 16, breiteAb: 47, breiteBis: 56 },
    condition: 'latitude BETWEEN $laengeAb AND $laengeBis AND longitude BETWEEN $breiteAb AND $breiteBis',
    source: 'Rechteck um Deutschland und seine Wirtschaftszone',
    sourceInEnglish: 'Rectangle around Germany and its economic zone',
  },
  koordinaten_ausserhalb_deutschland: {
    bit: 17,
    name: 'Koordinaten außerhalb Deutschlands',
    title: 'Coordinates outside of Germany',
    description:
      'Die Koordinaten liegen mehr als $toleranzM m außerhalb Deutschlands und seiner ausschließlichen Wirtschaftszone, obwohl das Register ein Bundesland nennt',
    english:
      'The coordinates lie more than $toleranzM m outside Germany and its exclusive economic zone, although the register names a state',
    severity: 'fehler',
    fields: ['latitude', 'longitude', 'bundesland'],
    bounds: {
      ...{
        toleranzM: 2000,
        nordseeBreiteAb: 53.4,
        nordseeBreiteBis: 55.95,
        nordseeLaengeAb: 3.3,
        nordseeLaengeBis: 9.1,
      },
      ...{ ostseeBreiteAb: 53.9, ostseeBreiteBis: 55.1, ostseeLaengeAb: 9.9, ostseeLaengeBis: 14.8 },
    },
    // Turbines stand at sea, and units of the economic zone, of which no municipality key has a state.
    condition: `bundesland IS NOT NULL AND abstandDeutschlandM > $toleranzM
      AND NOT ((einheitTyp = 'wind' OR landschluessel IS NULL) AND (
        (latitude BETWEEN $nordseeBreiteAb AND $nordseeBreiteBis AND longitude BETWEEN $nordseeLaengeAb AND $nordseeLaengeBis)
        OR (latitude BETWEEN $ostseeBreiteAb AND $ostseeBreiteBis AND longitude BETWEEN $ostseeLaengeAb AND $ostseeLaengeBis)))`,
    source:
      'Grenzen der Länder (BKG, VG250), um höchstens 1.200 m vereinfacht (gemessen); Rechtecke um die Wirtschaftszone in Nord- und Ostsee',
    sourceInEnglish:
      'Borders of the states (BKG, VG250), simplified by at most 1,200 m (measured); rectangles around the economic zone in North Sea and Baltic Sea',
  },
  koordinaten_ausserhalb_gemeinde: {
    bit: 26,
    name: 'Koordinaten außerhalb der Gemeinde',
    title: 'Coordinates outside of the municipality',
    description:
      'Die Koordinaten liegen mehr als $toleranzM m außerhalb der Gemeinde, die der Gemeindeschlüssel nennt, und nicht in einer, die wie der Ort heißt',
    english:
      'The coordinates lie more than $toleranzM m outside the municipality that the key names, and not in one that is called like the town',
    severity: 'warnung',
    fields: ['latitude', 'longitude', 'gemeindeschluessel'],
    bounds: { toleranzM: OUTSIDE_M },
    condition: `landschluessel IS NOT NULL AND abstandGemeindeM > $toleranzM AND coalesce(NOT ortAmPunkt, true)`,
    source: `${BORDERS}; von 916 Einheiten jenseits von 500 m liegen nach den genauen Grenzen drei in ihrer Gemeinde`,
    sourceInEnglish: `${BORDERS_IN_ENGLISH}; of 916 units beyond 500 m, three lie in their municipality by the exact borders`,
  },
  gemeinde_passt_nicht_zu_ort: {
    bit: 27,
    name: 'Gemeinde passt nicht zu Ort und Koordinaten',
    title: 'Municipality does not fit town and coordinates',
    description:
      'Die Koordinaten liegen in der Gemeinde, die wie der Ort heißt, aber mehr als $toleranzM m außerhalb der Gemeinde, die der Gemeindeschlüssel nennt',
    english:
      'The coordinates lie in the municipality that is called like the town, but more than $toleranzM m outside the one that the key names',
    severity: 'hinweis',
    fields: ['gemeindeschluessel', 'ort', 'latitude', 'longitude'],
    bounds: { toleranzM: OUTSIDE_M },
    condition: 'landschluessel IS NOT NULL AND abstandGemeindeM > $toleranzM AND ortAmPunkt',
    source: `${BORDERS}; 559 von 916 Einheiten jenseits von 500 m nennen als Ort die Gemeinde, in der sie liegen`,
    sourceInEnglish: `${BORDERS_IN_ENGLISH}; 559 of 916 units beyond 500 m name as town the municipality in which they lie`,
    proposals: [
      {
        field: 'gemeindeschluessel',
        value: 'agsAmPunkt',
        isKey: true,
        when: 'agsAmPunkt IS NOT NULL',
        reason: 'Ort und Koordinaten liegen in der Gemeinde mit diesem Schlüssel',
        reasonInEnglish: 'Town and coordinates lie in the municipality with this key',
      },
    ],
  },
  koordinaten_ganze_grad: {
    bit: 18,
    name: 'Koordinaten nur in ganzen Grad',
    title: 'Coordinates in whole degrees alone',
    description: 'Breite und Länge sind in ganzen Grad angegeben; der Ort kann Dutzende Kilometer entfernt sein',
    english: 'Latitude and longitude are given in whole degrees; the place may be dozens of kilometres away',
    severity: 'fehler',
    fields: ['latitude', 'longitude'],
    bounds: {},
    condition: 'latitude = floor(latitude) AND longitude = floor(longitude)',
    source: 'Gemessen: alle solchen Punkte liegen außerhalb ihrer Gemeinde',
    sourceInEnglish: 'Measured: all such points lie outside their municipality',
  },
  gemeinde_anderes_bundesland: {
    bit: 19,
    name: 'Gemeindeschlüssel eines anderen Bundeslands',
    title: 'Key of a municipality of another state',
    description: 'Der Gemeindeschlüssel gehört nicht zum Bundesland',
    english: 'The municipality key does not belong to the state',
    severity: 'fehler',
    fields: ['gemeindeschluessel', 'bundesland'],
    bounds: {},
    condition: 'landschluessel <> left(gemeindeschluessel, 2)',
    source: 'Die ersten beiden Ziffern des Schlüssels nennen das Land; 0 von 11.291 weichen ab',
    sourceInEnglish: 'The first two digits of the key name the state; 0 of 11,291 differ',
  },
  gemeindeschluessel_unbekannt: {
    bit: 28,
    name: 'Gemeindeschlüssel keiner Gemeinde',
    title: 'Key of no municipality',
    description: 'Keine Gemeinde hat diesen Gemeindeschlüssel, und seit 2010 hatte ihn auch keine',
    english: 'No municipality has this key, and none has had it since 2010',
    severity: 'warnung',
    fields: ['gemeindeschluessel', 'bundesland'],
    bounds: {},
    condition: `schluesselStand = 'unbekannt' AND landschluessel IS NOT NULL`,
    source:
      'Amtliches Gemeindeverzeichnis (Destatis) vom 28.02.2026 oder ein neueres, das der Betreiber geladen hat, mit den 2.297 früheren Schlüsseln; 0 von 11.291 fehlen',
    sourceInEnglish:
      'Official list of municipalities (Destatis) of 28 February 2026, or a newer one that the operator has loaded, with the 2,297 former keys; 0 of 11,291 are missing',
  },
  gemeindeschluessel_frueher: {
    bit: 29,
    name: 'Früherer Gemeindeschlüssel',
    title: 'Former key of a municipality',
    description: 'Die Gemeinde mit diesem Schlüssel gibt es nicht mehr, oder sie hat einen anderen erhalten',
    english: 'The municipality of this key no longer exists, or was given another one',
    severity: 'hinweis',
    fields: ['gemeindeschluessel'],
    bounds: {},
    condition: `schluesselStand = 'frueher'`,
    source: 'Änderungen seit 2010 nach Destatis und BBSR: 46 von 11.291 Schlüsseln, 31 verschiedene',
    sourceInEnglish: 'Changes since 2010 by Destatis and BBSR: 46 of 11,291 keys, 31 different ones',
    proposals: [
      {
        field: 'gemeindeschluessel',
        value: 'schluesselHeute',
        isKey: true,
        when: 'schluesselHeute IS NOT NULL',
        reason: 'Das ganze Gebiet des früheren Schlüssels gehört heute zur Gemeinde mit diesem',
        reasonInEnglish: 'The whole area of the former key belongs to the municipality with this one today',
      },
    ],
  },
  plz_anderes_bundesland: {
    bit: 20,
    name: 'Postleitzahl eines anderen Bundeslands',
    title: 'Postal code of another state',
    description: 'Postleitzahlen, die so beginnen, gibt es in diesem Bundesland nicht',
    english: 'There are no postal codes that begin so in this state',
    severity: 'hinweis',
    fields: ['plz', 'bundesland'],
    bounds: {},
    condition: `length(plz) = 5 AND landschluessel || left(plz, 2) NOT IN (${pairs.join(', ')})`,
    source: 'Leitregionen der Bundesländer mit ihren Grenzfällen: 178 Paare',
    sourceInEnglish: 'Regions of postal codes by state, with their border cases: 178 pairs',
  },
} as const satisfies Readonly<Record<string, Rule>>;
