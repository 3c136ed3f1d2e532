import type { Rule } from './rule.ts';
import { IN_WATTS, IN_WATTS_IN_ENGLISH } from './rules-power.ts';

/** Rules about storage. Measured on 22,968 units of the register, export of 2026-08-22. */

/** Ids of the register's catalogues: a battery, pumped storage; what is left over is fed in. */
const [BATTERY, PUMPED] = [524, 1537];
const SURPLUS = 689;

/** The least hours of a reservoir that nature fills. */
const RESERVOIR_HOURS = 48;

export const STORAGE_RULES = {
  speicher_privat_hoch: {
    bit: 9,
    name: 'Batteriespeicher mit Eigenverbrauch ungewöhnlich groß',
    title: 'Unusually large battery for own consumption',
    description: 'Ab $abKw kW für einen Speicher mit Teileinspeisung, dessen Betreiber keine Organisation ist',
    english: 'From $abKw kW on, for a storage with partial feed-in whose operator is no organisation',
    severity: 'warnung',
    fields: ['bruttoleistungKw', 'nettonennleistungKw', 'speicherkapazitaetKwh'],
    bounds: { abKw: 500 },
    condition: `einheitTyp = 'storage' AND coalesce(technologieId, ${BATTERY}) = ${BATTERY} AND betreiberName IS NULL
      AND eegMastrNummer IS NOT NULL AND einspeisungsartId = ${SURPLUS} AND bruttoleistungKw >= $abKw`,
    source: 'Gemessen: Heimspeicher haben 1 bis 30 kW; diese haben die Kapazität eines Heimspeichers in Wattstunden',
    sourceInEnglish: 'Measured: home storage has 1 to 30 kW; these have the capacity of home storage in watt-hours',
    proposals: [
      {
        field: 'speicherkapazitaetKwh',
        value: 'speicherkapazitaetKwh / 1000',
        when: 'speicherkapazitaetKwh / 1000 BETWEEN 1 AND 100',
        reason: 'Der Wert ist wohl in Wattstunden eingetragen: geteilt durch 1.000 entspricht er einem Heimspeicher',
        reasonInEnglish: 'The value was probably entered in watt-hours: divided by 1,000 it is that of a home storage',
      },
      {
        field: 'bruttoleistungKw',
        value: 'bruttoleistungKw / 1000',
        when: `bruttoleistungKw <> speicherkapazitaetKwh AND bruttoleistungKw / 1000 BETWEEN 0.6 AND 30
          AND speicherkapazitaetKwh / bruttoleistungKw BETWEEN 0.5 AND 5`,
        reason: `${IN_WATTS} die Leistung eines Heimspeichers`,
        reasonInEnglish: `${IN_WATTS_IN_ENGLISH} the power of a home storage`,
      },
    ],
  },
  speicher_stunden_niedrig: {
    bit: 10,
    name: 'Kapazität des Speichers ungewöhnlich klein für seine Leistung',
    title: 'Unusually small storage capacity for its power',
    description: 'Die Kapazität reicht bei voller Leistung weniger als $stunden Stunden',
    english: 'At full power the capacity lasts less than $stunden hours',
    severity: 'warnung',
    fields: ['speicherkapazitaetKwh', 'bruttoleistungKw'],
    bounds: { stunden: 0.25 },
    // The plant, whose capacity it is, has the power of all of its units, so it lasts even shorter.
    condition: `einheitTyp = 'storage' AND technologieId = ${BATTERY} AND speicherkapazitaetKwh < $stunden * bruttoleistungKw`,
    source: 'Gemessen an 423 Anlagen: 99 % ab 0,72 Stunden, der schnellste große Speicher 0,53',
    sourceInEnglish: 'Measured on 423 plants: 99 % from 0.72 hours, the fastest large storage 0.53',
  },
  speicher_stunden_hoch: {
    bit: 30,
    name: 'Kapazität des Batteriespeichers ungewöhnlich groß für seine Leistung',
    title: 'Unusually large battery capacity for its power',
    description: 'Die Kapazität der Anlage reicht bei voller Leistung ihrer Einheiten mehr als $stunden Stunden',
    english: 'At full power of its units the capacity of the plant lasts more than $stunden hours',
    severity: 'hinweis',
    fields: ['speicherkapazitaetKwh', 'speicherdauerStunden', 'bruttoleistungKw'],
    bounds: { stunden: 24, wattstundenAbStunden: 250, wattstundenBisStunden: 10_000 },
    condition: `einheitTyp = 'storage' AND technologieId = ${BATTERY} AND speicherdauerStunden > $stunden`,
    source:
      'Gemessen an 423 Anlagen: 99 % bis 4,5 Stunden, die längste 6,7; auch Redox-Flow-Batterien bleiben darunter',
    sourceInEnglish:
      'Measured on 423 plants: 99 % up to 4.5 hours, the longest 6.7; redox flow batteries stay below it, too',
    proposals: [
      {
        field: 'speicherkapazitaetKwh',
        value: 'speicherkapazitaetKwh / 1000',
        when: 'speicherdauerStunden BETWEEN $wattstundenAbStunden AND $wattstundenBisStunden',
        reason:
          'Der Wert ist wohl in Wattstunden eingetragen: geteilt durch 1.000 reicht er so lange wie bei anderen Batteriespeichern',
        reasonInEnglish:
          'The value was probably entered in watt-hours: divided by 1,000 it lasts as long as in other batteries',
      },
    ],
  },
  pumpspeicher_becken: {
    bit: 31,
    name: 'Kapazität des Pumpspeichers ungewöhnlich groß für seine Leistung',
    title: 'Unusually large capacity of pumped storage for its power',
    description:
      'Die Kapazität der Anlage reicht bei voller Leistung ihrer Einheiten mehr als $stunden Stunden; so groß ist in Deutschland kein Becken, das nur Pumpen füllen',
    english:
      'At full power of its units the capacity of the plant lasts more than $stunden hours; in Germany no basin that only pumps fill is so large',
    severity: 'warnung',
    fields: ['speicherkapazitaetKwh', 'speicherdauerStunden', 'bruttoleistungKw'],
    bounds: { stunden: RESERVOIR_HOURS },
    condition: `einheitTyp = 'storage' AND technologieId = ${PUMPED} AND landschluessel IS NOT NULL AND speicherdauerStunden > $stunden`,
    source:
      'Gemessen an 23 Anlagen in Deutschland: bei 18 höchstens 30 Stunden, zusammen 32 GWh; bei fünf mindestens 212, zusammen 125 GWh, das Arbeitsvermögen von Talsperren',
    sourceInEnglish:
      'Measured on 23 plants in Germany: 18 have at most 30 hours, together 32 GWh; five at least 212, together 125 GWh, the energy of water behind dams',
  },
  pumpspeicher_jahresspeicher: {
    bit: 32,
    name: 'Kapazität eines Jahresspeichers',
    title: 'Capacity of a storage for a whole year',
    description:
      'Die Kapazität des Pumpspeichers außerhalb Deutschlands reicht bei voller Leistung mehr als $stunden Stunden: wohl die eines Stausees mit natürlichem Zufluss',
    english:
      'The capacity of the pumped storage abroad lasts more than $stunden hours at full power: probably that of a lake with natural inflow',
    severity: 'hinweis',
    fields: ['speicherkapazitaetKwh', 'speicherdauerStunden', 'bruttoleistungKw'],
    bounds: { stunden: RESERVOIR_HOURS },
    condition: `einheitTyp = 'storage' AND technologieId = ${PUMPED} AND landschluessel IS NULL AND speicherdauerStunden > $stunden`,
    source:
      'Gemessen an acht Anlagen ohne Bundesland: bei drei höchstens 18 Stunden, bei fünf mindestens 143, zusammen 565 GWh, meist Stauseen in den Alpen',
    sourceInEnglish:
      'Measured on eight plants without a state: three have at most 18 hours, five at least 143, together 565 GWh, mostly reservoirs in the Alps',
  },
} as const satisfies Readonly<Record<string, Rule>>;
