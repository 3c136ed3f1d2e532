import type { Rule } from './rule.ts';

/** Rules about power. Measured on 22,968 units of the register, export of 2026-08-22. */

/** Ids of the register's catalogues: a building, a plug-in plant, open ground. */
const [BUILDING, PLUG_IN, GROUND] = [853, 2961, 852];

export const IN_WATTS = 'Der Wert ist wohl in Watt eingetragen: geteilt durch 1.000 ergibt er';
export const IN_WATTS_IN_ENGLISH = 'The value was probably entered in watts: divided by 1,000 it gives';

export const POWER_RULES = {
  modulleistung_hoch: {
    bit: 0,
    name: 'Leistung je Modul ungewöhnlich hoch',
    title: 'Unusually high power per module',
    description: 'Die Bruttoleistung ergibt mehr als $jeModulW W je Modul; größere Module sind nicht im Handel',
    english: 'The gross capacity gives more than $jeModulW W per module; larger modules are not on the market',
    severity: 'fehler',
    fields: ['bruttoleistungKw', 'solarAnzahlModule'],
    bounds: { jeModulW: 800, ueblichAbW: 200, dachKw: 20_000, privatKw: 30_000 },
    condition: `einheitTyp = 'solar' AND bruttoleistungKw * 1000 > $jeModulW * solarAnzahlModule AND solarAnzahlModule > 0`,
    source: 'Gemessen an 8.087 Einheiten: Median 300, 99 % bis 700 W je Modul; Module in Serie haben bis zu 760 W',
    sourceInEnglish:
      'Measured on 8,087 units: median 300, 99 % up to 700 W per module; modules in series production have up to 760 W',
    proposals: [
      {
        field: 'bruttoleistungKw',
        value: 'bruttoleistungKw / 1000',
        // Read as watts it is a usual power of the modules, and the net capacity says kilowatts, or the plant would be too large.
        when: `bruttoleistungKw / solarAnzahlModule BETWEEN $ueblichAbW AND $jeModulW
          AND (nettonennleistungKw * 1000 BETWEEN 0.4 * bruttoleistungKw AND 1.15 * bruttoleistungKw
            OR (solarLageId = ${BUILDING} AND bruttoleistungKw > $dachKw)
            OR (solarLageId = ${BUILDING} AND betreiberName IS NULL AND bruttoleistungKw < $privatKw
              AND nettonennleistungKw BETWEEN 0.4 * bruttoleistungKw AND bruttoleistungKw))`,
        reason: `${IN_WATTS} eine übliche Leistung je Modul`,
        reasonInEnglish: `${IN_WATTS_IN_ENGLISH} a usual power per module`,
      },
      {
        field: 'bruttoleistungKw',
        value: 'bruttoleistungKw * solarAnzahlModule / 1000',
        when: `bruttoleistungKw BETWEEN $ueblichAbW AND $jeModulW
          AND nettonennleistungKw * 1000 / solarAnzahlModule BETWEEN 0.4 * bruttoleistungKw AND 1.15 * bruttoleistungKw`,
        reason:
          'Der Wert ist wohl die Leistung eines Moduls in Watt; mal Anzahl der Module passt er zur Nettonennleistung',
        reasonInEnglish:
          'The value is probably the power of one module in watts; times the number of modules it fits the net capacity',
      },
    ],
  },
  modulleistung_niedrig: {
    bit: 1,
    name: 'Leistung je Modul ungewöhnlich niedrig',
    title: 'Unusually low power per module',
    description:
      'Die Bruttoleistung ergibt weniger als $jeModulW W je Modul, ab 30 kW weniger als $ab30KwW W, steckerfertig weniger als $steckerW W, auf Freiflächen seit 2020 weniger als $freiflaecheW W',
    english:
      'The gross capacity gives less than $jeModulW W per module, from 30 kW on less than $ab30KwW W, of plug-in plants less than $steckerW W, on open ground since 2020 less than $freiflaecheW W',
    severity: 'warnung',
    fields: ['bruttoleistungKw', 'solarAnzahlModule'],
    bounds: { jeModulW: 5, ab30KwW: 45, steckerW: 75, freiflaecheW: 60 },
    condition: `einheitTyp = 'solar' AND solarAnzahlModule > 0 AND (
      bruttoleistungKw * 1000 < $jeModulW * solarAnzahlModule
      OR (bruttoleistungKw >= 30 AND bruttoleistungKw * 1000 < $ab30KwW * solarAnzahlModule)
      OR (solarLageId = ${PLUG_IN} AND bruttoleistungKw * 1000 < $steckerW * solarAnzahlModule)
      OR (solarLageId = ${GROUND} AND bruttoleistungKw * 1000 < $freiflaecheW * solarAnzahlModule
        AND coalesce(inbetriebnahmedatum, geplantesInbetriebnahmedatum) >= DATE '2020-01-01'))`,
    source:
      'Gemessen: 0,1 % unter 55,5 W; Dünnschichtmodule von 2004 bis 2012 ab 48 W, Freiflächen seit 2020 zu 99 % ab 306 W',
    sourceInEnglish:
      'Measured: 0.1 % below 55.5 W; thin-film modules of 2004 to 2012 from 48 W, open ground since 2020 to 99 % from 306 W',
  },
  leistung_je_flaeche_hoch: {
    bit: 2,
    name: 'Leistung je Fläche ungewöhnlich hoch',
    title: 'Unusually high power per area',
    description: 'Mehr als $jeHaKw kW je Hektar: so viel trägt auch eine lückenlos belegte Fläche nicht',
    english: 'More than $jeHaKw kW per hectare, which not even ground covered without a gap carries',
    severity: 'hinweis',
    fields: ['bruttoleistungKw', 'solarFlaecheHa'],
    bounds: { jeHaKw: 2500 },
    condition: `einheitTyp = 'solar' AND solarFlaecheHa > 0 AND bruttoleistungKw > $jeHaKw * solarFlaecheHa`,
    source: '1.000 W/m² bei einem Wirkungsgrad von 25 %; nicht gemessen',
    sourceInEnglish: '1,000 W/m² at an efficiency of 25 %; not measured',
  },
  leistung_je_flaeche_niedrig: {
    bit: 3,
    name: 'Leistung je Fläche ungewöhnlich niedrig',
    title: 'Unusually low power per area',
    description: 'Weniger als $jeHaKw kW je Hektar',
    english: 'Less than $jeHaKw kW per hectare',
    severity: 'hinweis',
    fields: ['bruttoleistungKw', 'solarFlaecheHa'],
    bounds: { jeHaKw: 50 },
    condition: `einheitTyp = 'solar' AND bruttoleistungKw < $jeHaKw * solarFlaecheHa`,
    source: 'Ein Fünftel der Leistung früher Solarparks und der Agri-Photovoltaik; nicht gemessen',
    sourceInEnglish: 'A fifth of the power of early solar parks and of agrivoltaics; not measured',
  },
  netto_ueber_brutto: {
    bit: 4,
    name: 'Nettonennleistung größer als Bruttoleistung',
    title: 'Net nominal capacity above gross capacity',
    description:
      'Die Nettonennleistung übersteigt die Bruttoleistung; nach der Definition des Registers ist sie höchstens gleich groß',
    english: 'The net nominal capacity exceeds the gross capacity; by the register’s definition it is at most as large',
    severity: 'fehler',
    fields: ['bruttoleistungKw', 'nettonennleistungKw'],
    bounds: { toleranzAnteil: 0.01, toleranzKw: 0.05 },
    condition: 'nettonennleistungKw > bruttoleistungKw * (1 + $toleranzAnteil) + $toleranzKw',
    source: 'Definition des Registers; 18.700 von 18.706 Einheiten mit beiden Werten halten sie ein',
    sourceInEnglish: 'Definition of the register; 18,700 of 18,706 units with both values keep to it',
  },
  netto_weit_unter_brutto: {
    bit: 5,
    name: 'Brutto- und Nettoleistung passen nicht zusammen',
    title: 'Gross and net capacity do not fit each other',
    description: 'Die Bruttoleistung ist mehr als $malGroesser-mal so groß wie die Nettonennleistung',
    english: 'The gross capacity is more than $malGroesser times the net nominal capacity',
    severity: 'fehler',
    fields: ['bruttoleistungKw', 'nettonennleistungKw'],
    bounds: { malGroesser: 10 },
    condition: 'nettonennleistungKw > 0 AND bruttoleistungKw > $malGroesser * nettonennleistungKw',
    source:
      'Gemessen an 18.706 Einheiten: gedrosselte Wechselrichter bis zum Zehnfachen, darüber steht ein Wert in Watt',
    sourceInEnglish: 'Measured on 18,706 units: throttled inverters up to ten times, beyond that a value is in watts',
  },
  leistung_null: {
    bit: 6,
    name: 'Leistung null oder negativ',
    title: 'Power of zero or below',
    description: 'Brutto- oder Nettonennleistung ist null oder negativ',
    english: 'The gross or the net nominal capacity is zero or negative',
    severity: 'fehler',
    fields: ['bruttoleistungKw', 'nettonennleistungKw'],
    bounds: {},
    condition: 'bruttoleistungKw <= 0 OR nettonennleistungKw <= 0',
    source: 'Eine Einheit hat eine Leistung; die kleinste gemessene ist 0,19 kW',
    sourceInEnglish: 'A unit has a power; the smallest one measured is 0.19 kW',
  },
  dach_leistung_hoch: {
    bit: 7,
    name: 'Gebäudesolaranlage ungewöhnlich groß',
    title: 'Unusually large solar plant on a building',
    description: 'Mehr als $hoechstensKw kW auf oder an einem Gebäude, mehr als das größte Dach im Bestand',
    english: 'More than $hoechstensKw kW on a building, more than the largest roof in the register',
    severity: 'warnung',
    fields: ['bruttoleistungKw', 'solarLage'],
    bounds: { hoechstensKw: 20_000 },
    condition: `einheitTyp = 'solar' AND solarLageId = ${BUILDING} AND bruttoleistungKw > $hoechstensKw`,
    source: 'Gemessen an 2.893 Einheiten: 99 % bis 3.470 kW, das größte Dach, das seine Module bestätigen, 12.800 kW',
    sourceInEnglish:
      'Measured on 2,893 units: 99 % up to 3,470 kW; the largest roof that its modules confirm has 12,800 kW',
  },
  steckersolar_leistung_hoch: {
    bit: 8,
    name: 'Steckerfertige Anlage über der Grenze des EEG',
    title: 'Plug-in solar above the limit of the EEG',
    description:
      'Eine steckerfertige Anlage mit mehr als $bruttoKw kW Modulen oder mehr als $nettoKw kW Wechselrichter',
    english: 'A plug-in plant with more than $bruttoKw kW of modules or more than $nettoKw kW of inverter',
    severity: 'hinweis',
    fields: ['bruttoleistungKw', 'nettonennleistungKw', 'solarLage'],
    bounds: { bruttoKw: 2, nettoKw: 0.8 },
    condition: `einheitTyp = 'solar' AND solarLageId = ${PLUG_IN} AND (bruttoleistungKw > $bruttoKw OR nettonennleistungKw > $nettoKw)`,
    source: '§ 8 Absatz 5a EEG 2023',
    sourceInEnglish: 'Section 8 (5a) EEG 2023, the German Renewable Energy Sources Act',
  },
} as const satisfies Readonly<Record<string, Rule>>;
