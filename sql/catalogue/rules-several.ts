import type { Rule } from './rule.ts';

/** Rules that compare a unit with others, or with its plant. Measured on 22,968 units of the register, export of 2026-08-22. */

export const SEVERAL_RULES = {
  eeg_leistung_summe: {
    bit: 33,
    name: 'Leistung der EEG-Anlage passt nicht zu ihren Einheiten',
    title: 'Power of the EEG plant does not fit its units',
    description:
      'Die Einheiten der EEG-Anlage haben zusammen mehr als das $malGroesser-Fache der installierten Leistung, die für die Anlage eingetragen ist; bei Wind und Solar auch umgekehrt. Geplante und stillgelegte Einheiten zählen nicht mit',
    english:
      'Together the units of the EEG plant have more than $malGroesser times the installed capacity that is entered for the plant; of wind and solar the reverse, too. Planned and decommissioned units do not count',
    severity: 'hinweis',
    fields: ['bruttoleistungKw', 'nettonennleistungKw', 'eegMastrNummer', 'betriebsStatus'],
    bounds: { malGroesser: 1.1 },
    // Plants of biomass and gas have several units, of which the measured content lacks some: nothing is known about too few of these.
    condition: `statusId <> 31 AND (anlageEinheitenKw > $malGroesser * anlageKw
      OR (einheitTyp IN ('solar', 'wind') AND anlageKw > $malGroesser * anlageEinheitenKw))`,
    source:
      'Gemessen an 7.656 Anlagen: Solar weicht höchstens um 1 % ab, Wind zu 99 % um höchstens 2 %; falsch ist meist die Leistung der Anlage, nicht die der Einheit',
    sourceInEnglish:
      'Measured on 7,656 plants: solar differs by at most 1 %, wind to 99 % by at most 2 %; what is wrong is mostly the power of the plant, not that of the unit',
  },
  doppelt_gemeldet: {
    bit: 34,
    name: 'Solaranlage wohl doppelt gemeldet',
    title: 'Solar plant probably reported twice',
    description:
      'Eine andere Einheit, die der Netzbetreiber geprüft hat, während diese in Prüfung ist, hat dieselben Koordinaten, Leistungen, Modulzahl und denselben Tag der Inbetriebnahme, aber einen anderen Betreiber',
    english:
      'Another unit, which the grid operator has checked while this one is being checked, has the same coordinates, capacities, number of modules and day of commissioning, but another operator',
    severity: 'warnung',
    fields: [
      ...['latitude', 'longitude', 'bruttoleistungKw', 'nettonennleistungKw', 'solarAnzahlModule'],
      ...['inbetriebnahmedatum', 'betreiberMastrNummer', 'netzbetreiberpruefung'],
    ],
    bounds: {},
    condition: 'doppelt',
    source:
      'Gemessen: von drei solchen Paaren sind zwei so geprüft und doppelt, das dritte ist zweimal geprüft; ohne Koordinaten (unter 30 kW) sind gleiche Anlagen meist Nachbarn',
    sourceInEnglish:
      'Measured: of three such pairs, two were checked so and are double, the third was checked twice; without coordinates (below 30 kW), equal plants are mostly neighbours',
  },
} as const satisfies Readonly<Record<string, Rule>>;
