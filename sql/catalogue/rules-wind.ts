import type { Rule } from './rule.ts';

/** Rules about wind turbines. Measured on 22,968 units of the register, export of 2026-08-22. */

const ROTOR_AREA = '0.7854 * windRotordurchmesserM * windRotordurchmesserM';

/** So near, two turbines stand at one point. */
export const SAME_POINT_M = 30;

export const WIND_RULES = {
  wind_leistung_rotor: {
    bit: 11,
    name: 'Leistung und Rotor der Windenergieanlage passen nicht zusammen',
    title: 'Power and rotor of the wind turbine do not fit each other',
    description:
      'Die Bruttoleistung ergibt mehr als $hoechstensW W je m² Rotorfläche, oder ab 100 kW weniger als $mindestensW W',
    english:
      'The gross capacity gives more than $hoechstensW W per m² of rotor area, or from 100 kW on less than $mindestensW W',
    severity: 'fehler',
    fields: ['bruttoleistungKw', 'windRotordurchmesserM'],
    bounds: { hoechstensW: 700, mindestensW: 150, kleinBisM: 30, kleinAbW: 100 },
    condition: `einheitTyp = 'wind' AND windRotordurchmesserM > 0 AND (
      bruttoleistungKw * 1000 > $hoechstensW * ${ROTOR_AREA}
      OR (bruttoleistungKw >= 100 AND bruttoleistungKw * 1000 < $mindestensW * ${ROTOR_AREA}))`,
    source: 'Gemessen an 6.065 Einheiten: 98 % zwischen 223 und 581 W/m², die höchste Serie (E-126) 608',
    sourceInEnglish: 'Measured on 6,065 units: 98 % between 223 and 581 W/m², the highest series (E-126) 608',
    proposals: [
      {
        field: 'bruttoleistungKw',
        value: 'bruttoleistungKw / 1000',
        when: `windRotordurchmesserM <= $kleinBisM AND bruttoleistungKw / (${ROTOR_AREA}) BETWEEN $kleinAbW AND $hoechstensW`,
        reason: 'Der Wert ist wohl in Watt eingetragen: geteilt durch 1.000 passt er zum Rotor',
        reasonInEnglish: 'The value was probably entered in watts: divided by 1,000 it fits the rotor',
      },
    ],
  },
  wind_nabenhoehe_rotor: {
    bit: 12,
    name: 'Nabenhöhe und Rotor passen nicht zusammen',
    title: 'Hub height and rotor do not fit each other',
    description:
      'Die Blattspitze käme dem Boden näher als $blattspitzeM m, oder die Nabe steht höher als $malRotor Rotoren oder $nabenhoeheM m',
    english:
      'The blade tip would come closer to the ground than $blattspitzeM m, or the hub is higher than $malRotor rotors or $nabenhoeheM m',
    severity: 'hinweis',
    fields: ['windNabenhoeheM', 'windRotordurchmesserM'],
    bounds: { blattspitzeM: 8, malRotor: 3, nabenhoeheM: 310 },
    condition: `einheitTyp = 'wind' AND bruttoleistungKw >= 100 AND windRotordurchmesserM > 0 AND windNabenhoeheM > 0
      AND (windNabenhoeheM * 2 < windRotordurchmesserM + 2 * $blattspitzeM
        OR windNabenhoeheM > $malRotor * windRotordurchmesserM OR windNabenhoeheM > $nabenhoeheM)`,
    source: 'Gemessen: tiefste Blattspitze 11,1 m, höchste Nabe 199 m und zwei Rotoren',
    sourceInEnglish: 'Measured: lowest tip of a blade 11.1 m, highest hub 199 m and two rotors',
  },
  wind_rotor_typ: {
    bit: 13,
    name: 'Rotordurchmesser weicht vom Typ ab',
    title: 'Rotor diameter differs from the type',
    description: 'Der Rotor weicht um mehr als $toleranzAnteil der Länge von denen ab, die Anlagen dieses Typs haben',
    english: 'The rotor differs by more than $toleranzAnteil of its length from those that turbines of this type have',
    severity: 'warnung',
    fields: ['windRotordurchmesserM', 'windTypenbezeichnung'],
    bounds: { toleranzAnteil: 0.03 },
    condition: `windRotordurchmesserM < typRotorAbM * (1 - $toleranzAnteil)
      OR windRotordurchmesserM > typRotorBisM * (1 + $toleranzAnteil)`,
    source: 'Gemessene Ausführungen von 64 Typen (wind-type-bounds.csv)',
    sourceInEnglish: 'Measured variants of 64 types (wind-type-bounds.csv)',
  },
  wind_leistung_typ: {
    bit: 14,
    name: 'Leistung weicht vom Typ ab',
    title: 'Power differs from the type',
    description:
      'Die Leistung liegt um mehr als ein Zehntel unter oder ein Zwanzigstel über der, die Anlagen dieses Typs haben',
    english: 'The capacity is more than a tenth below, or a twentieth above, that of turbines of this type',
    severity: 'hinweis',
    fields: ['bruttoleistungKw', 'windTypenbezeichnung'],
    bounds: { abAnteil: 0.9, bisAnteil: 1.05 },
    condition: 'bruttoleistungKw < typLeistungAbKw * $abAnteil OR bruttoleistungKw > typLeistungBisKw * $bisAnteil',
    source: 'Gemessene Ausführungen von 64 Typen (wind-type-bounds.csv)',
    sourceInEnglish: 'Measured variants of 64 types (wind-type-bounds.csv)',
  },
  wind_gleicher_punkt: {
    bit: 35,
    name: 'Zwei Windenergieanlagen am selben Punkt',
    title: 'Two wind turbines at the same point',
    description: 'Eine andere Windenergieanlage in Betrieb steht nach ihren Koordinaten höchstens $abstandM m entfernt',
    english: 'By its coordinates another wind turbine in operation stands at most $abstandM m away',
    severity: 'warnung',
    fields: ['latitude', 'longitude', 'betriebsStatus'],
    bounds: { abstandM: SAME_POINT_M },
    condition: `einheitTyp = 'wind' AND abstandTurbineM <= $abstandM`,
    source:
      'Gemessen an 1.638 Anlagen in Betrieb: 42 haben bis 20 m entfernt eine andere, die nächsten 69 m; Rotoren ab 23 m stünden sich im Weg',
    sourceInEnglish:
      "Measured on 1,638 plants in operation: 42 have another one up to 20 m away, the next 69 m; rotors from 23 m would be in each other's way",
  },
} as const satisfies Readonly<Record<string, Rule>>;
