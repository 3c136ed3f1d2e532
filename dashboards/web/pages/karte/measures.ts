import { monthsFrom } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count, decimal, significant } from '../../format/numbers.ts';
import type { Group } from '../../v1/answers.ts';
import type { Query } from '../../v1/request.ts';

/** The meanings that the colours of the map can have. */
export const MEASURES = [
  ...(['leistung', 'dichte', 'leistungKopf', 'anzahl', 'anzahlFlaeche', 'anzahlKopf', 'zubau', 'zubauKopf'] as const),
  ...(['pipeline', 'speicher', 'speicherKopf', 'anteilLeistung', 'anteilAnzahl'] as const),
  ...(['zuwachsLeistung', 'zuwachsLeistungProzent', 'zuwachsAnzahl', 'zuwachsAnzahlProzent'] as const),
] as const;

export type MeasureId = (typeof MEASURES)[number];

/**
 * What a figure is made of: units that stand somewhere today or stood there at the end of a year, their share of others, what came
 * or is planned, or the difference between two days.
 */
export type MeasureKind = 'bestand' | 'anteil' | 'zubau' | 'pipeline' | 'zuwachs';

export interface Measure {
  readonly kind: MeasureKind;
  /** In the list of choices. */
  readonly name: string;
  /** Begin of a title: „Leistung“. */
  readonly title: string;
  /** What the figures are: „MW brutto“. */
  readonly unit: string;
  /** Unit beside a value. */
  readonly shortUnit: string;
  /**
   * Null where there is nothing to divide by, as the inhabitants of a place that no list has.
   * @param other of shares the units of which these are a part, of differences what stood there before; null = there is none
   */
  valueOf(group: Group, other: Group | null): number | null;
  write(value: number): string;
  /** True for a figure by inhabitants or area, whose source is told. */
  readonly isPerPlace?: true;
  /** True for energy of storage. */
  readonly isEnergy?: true;
}

type Amount = (group: Group) => number;

const megawattsOf: Amount = ({ bruttoleistungKw }) => bruttoleistungKw / 1000;
const megawattHoursOf: Amount = ({ speicherkapazitaetKwh }) => (speicherkapazitaetKwh ?? 0) / 1000;
const unitsOf: Amount = ({ count: units }) => units;

const percent =
  (amount: Amount) =>
  (group: Group, whole: Group | null): number | null =>
    whole === null || amount(whole) <= 0 ? null : (amount(group) / amount(whole)) * 100;

const difference =
  (amount: Amount) =>
  (group: Group, before: Group | null): number =>
    amount(group) - (before === null ? 0 : amount(before));

const relative =
  (amount: Amount) =>
  (group: Group, before: Group | null): number | null =>
    before === null || amount(before) <= 0 ? null : (amount(group) / amount(before) - 1) * 100;

const withSign =
  (write: (value: number) => string) =>
  (value: number): string =>
    value > 0 ? `+${write(value)}` : write(value);

/** Unit beside a number of units. */
export const UNITS = say('Einheiten', 'units');

const tenths = (value: number): string => decimal(value, 1);

export const MEASURE: Readonly<Record<MeasureId, Measure>> = {
  leistung: {
    kind: 'bestand',
    name: say('Leistung', 'Power'),
    title: say('Leistung', 'Power'),
    unit: say('MW brutto', 'MW gross'),
    shortUnit: 'MW',
    valueOf: megawattsOf,
    write: significant,
  },
  dichte: {
    kind: 'bestand',
    name: say('Leistung je km²', 'Power per km²'),
    title: say('Leistung je Fläche', 'Power by area'),
    unit: say('MW brutto je km²', 'MW gross per km²'),
    shortUnit: say('MW je km²', 'MW per km²'),
    valueOf: ({ kwJeKm2 }) => (kwJeKm2 == null ? null : kwJeKm2 / 1000),
    write: significant,
    isPerPlace: true,
  },
  leistungKopf: {
    kind: 'bestand',
    name: say('Leistung je 1.000 Einwohner', 'Power per 1,000 inhabitants'),
    title: say('Leistung je 1.000 Einwohner', 'Power per 1,000 inhabitants'),
    unit: say('kW brutto je 1.000 Einwohner', 'kW gross per 1,000 inhabitants'),
    shortUnit: say('kW je 1.000 Einwohner', 'kW per 1,000 inhabitants'),
    valueOf: ({ kwJe1000Einwohner }) => kwJe1000Einwohner ?? null,
    write: significant,
    isPerPlace: true,
  },
  anzahl: {
    kind: 'bestand',
    name: say('Anzahl', 'Number'),
    title: say('Anlagen', 'Units'),
    unit: say('Einheiten', 'units'),
    shortUnit: UNITS,
    valueOf: unitsOf,
    write: count,
  },
  anzahlFlaeche: {
    kind: 'bestand',
    name: say('Anzahl je km²', 'Number per km²'),
    title: say('Anlagen je Fläche', 'Units by area'),
    unit: say('Einheiten je km²', 'units per km²'),
    shortUnit: say('Einheiten je km²', 'units per km²'),
    // The interface counts by inhabitants; both are of the same place.
    valueOf: ({ anzahlJe1000Einwohner, einwohner, flaecheKm2 }) =>
      anzahlJe1000Einwohner == null || einwohner == null || !flaecheKm2
        ? null
        : (anzahlJe1000Einwohner * einwohner) / 1000 / flaecheKm2,
    write: significant,
    isPerPlace: true,
  },
  anzahlKopf: {
    kind: 'bestand',
    name: say('Anzahl je 1.000 Einwohner', 'Number per 1,000 inhabitants'),
    title: say('Anlagen je 1.000 Einwohner', 'Units per 1,000 inhabitants'),
    unit: say('Einheiten je 1.000 Einwohner', 'units per 1,000 inhabitants'),
    shortUnit: say('Einheiten je 1.000 Einwohner', 'units per 1,000 inhabitants'),
    valueOf: ({ anzahlJe1000Einwohner }) => anzahlJe1000Einwohner ?? null,
    write: significant,
    isPerPlace: true,
  },
  zubau: {
    kind: 'zubau',
    name: say('Zubau in zwölf Monaten', 'Added in twelve months'),
    title: say('Zubau in zwölf Monaten', 'Added in twelve months'),
    unit: say('MW brutto', 'MW gross'),
    shortUnit: 'MW',
    valueOf: megawattsOf,
    write: significant,
  },
  zubauKopf: {
    kind: 'zubau',
    name: say('Zubau in zwölf Monaten je 1.000 Einwohner', 'Added in twelve months per 1,000 inhabitants'),
    title: say('Zubau in zwölf Monaten je 1.000 Einwohner', 'Added in twelve months per 1,000 inhabitants'),
    unit: say('kW brutto je 1.000 Einwohner', 'kW gross per 1,000 inhabitants'),
    shortUnit: say('kW je 1.000 Einwohner', 'kW per 1,000 inhabitants'),
    valueOf: ({ kwJe1000Einwohner }) => kwJe1000Einwohner ?? null,
    write: significant,
    isPerPlace: true,
  },
  pipeline: {
    kind: 'pipeline',
    name: 'Pipeline',
    title: say('Geplante Leistung', 'Planned power'),
    unit: say('MW brutto', 'MW gross'),
    shortUnit: 'MW',
    valueOf: megawattsOf,
    write: significant,
  },
  speicher: {
    kind: 'bestand',
    name: say('Speicherkapazität', 'Energy of storage'),
    title: say('Speicherkapazität', 'Energy of storage'),
    unit: say('MWh nutzbare Kapazität der Speicher', 'MWh usable capacity of storage'),
    shortUnit: 'MWh',
    valueOf: megawattHoursOf,
    write: significant,
    isEnergy: true,
  },
  speicherKopf: {
    kind: 'bestand',
    name: say('Speicherkapazität je 1.000 Einwohner', 'Energy of storage per 1,000 inhabitants'),
    title: say('Speicherkapazität je 1.000 Einwohner', 'Energy of storage per 1,000 inhabitants'),
    unit: say(
      'kWh nutzbare Kapazität der Speicher je 1.000 Einwohner',
      'kWh usable capacity of storage per 1,000 inhabitants',
    ),
    shortUnit: say('kWh je 1.000 Einwohner', 'kWh per 1,000 inhabitants'),
    valueOf: ({ kwhJe1000Einwohner }) => kwhJe1000Einwohner ?? null,
    write: significant,
    isEnergy: true,
    isPerPlace: true,
  },
  anteilLeistung: {
    kind: 'anteil',
    name: say('Anteil an der Leistung', 'Share of power'),
    title: say('Anteil an der Leistung', 'Share of power'),
    unit: say('% der Bruttoleistung', '% of gross power'),
    shortUnit: '%',
    valueOf: percent(megawattsOf),
    write: significant,
  },
  anteilAnzahl: {
    kind: 'anteil',
    name: say('Anteil an der Anzahl', 'Share of number'),
    title: say('Anteil an der Anzahl', 'Share of number'),
    unit: say('% der Einheiten', '% of units'),
    shortUnit: '%',
    valueOf: percent(unitsOf),
    write: significant,
  },
  zuwachsLeistung: {
    kind: 'zuwachs',
    name: say('Änderung der Leistung', 'Change of power'),
    title: say('Änderung der Leistung', 'Change of power'),
    unit: say('MW brutto', 'MW gross'),
    shortUnit: 'MW',
    valueOf: difference(megawattsOf),
    write: withSign(significant),
  },
  zuwachsLeistungProzent: {
    kind: 'zuwachs',
    name: say('Änderung der Leistung in Prozent', 'Change of power in per cent'),
    title: say('Änderung der Leistung', 'Change of power'),
    unit: say('% der Bruttoleistung am Anfang', '% of the gross power at the beginning'),
    shortUnit: '%',
    valueOf: relative(megawattsOf),
    write: withSign(tenths),
  },
  zuwachsAnzahl: {
    kind: 'zuwachs',
    name: say('Änderung der Anzahl', 'Change of number'),
    title: say('Änderung der Anzahl', 'Change of number'),
    unit: say('Einheiten', 'units'),
    shortUnit: UNITS,
    valueOf: difference(unitsOf),
    write: withSign(count),
  },
  zuwachsAnzahlProzent: {
    kind: 'zuwachs',
    name: say('Änderung der Anzahl in Prozent', 'Change of number in per cent'),
    title: say('Änderung der Anzahl', 'Change of number'),
    unit: say('% der Einheiten am Anfang', '% of the units at the beginning'),
    shortUnit: '%',
    valueOf: relative(unitsOf),
    write: withSign(tenths),
  },
};

/** Measures in the list of choices, by what they are made of. */
export const MEASURE_GROUPS: readonly { readonly name: string; readonly kinds: readonly MeasureKind[] }[] = [
  { name: say('Bestand', 'Stock'), kinds: ['bestand'] },
  { name: say('Anteile', 'Shares'), kinds: ['anteil'] },
  { name: say('Änderung zwischen zwei Tagen', 'Change between two days'), kinds: ['zuwachs'] },
  { name: say('Zubau und Pipeline', 'Added and planned'), kinds: ['zubau', 'pipeline'] },
];

/** True for measures that a year of the past has, too. */
export const hasYears = ({ kind }: Measure): boolean => kind === 'bestand' || kind === 'anteil';

/** The day after the one that lies twelve months before: with the day of the register itself, they are twelve months. */
function firstDayOfYear(asOf: string): string {
  const before = new Date(`${monthsFrom(asOf, -12)}T00:00:00Z`);
  before.setUTCDate(before.getUTCDate() + 1);
  return before.toISOString().slice(0, 10);
}

/** Selects the units that count for a kind of measure today. @param asOf day of the register */
export function filtersOfKind(kind: MeasureKind, asOf: string): Query {
  switch (kind) {
    case 'zubau':
      return { inbetriebnahmeVon: firstDayOfYear(asOf), inbetriebnahmeBis: asOf };
    case 'pipeline':
      return { betriebsStatus: 'In Planung' };
    case 'zuwachs':
      return {};
    default:
      return { betriebsStatus: 'In Betrieb' };
  }
}
