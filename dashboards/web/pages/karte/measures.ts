import { monthsFrom } from '../../format/dates.ts';
import { count, significant } from '../../format/numbers.ts';
import type { Group } from '../../v1/answers.ts';
import type { Query } from '../../v1/request.ts';

/** The meanings that the colours of the map can have. */
export const MEASURES = [
  ...(['leistung', 'dichte', 'leistungKopf', 'anzahl', 'anzahlKopf', 'zubau', 'zubauKopf'] as const),
  ...(['pipeline', 'speicher', 'speicherKopf'] as const),
] as const;

export type MeasureId = (typeof MEASURES)[number];

export interface Measure {
  /** In the list of choices. */
  readonly name: string;
  /** Begin of a title: „Leistung in Betrieb“. */
  readonly title: string;
  readonly unit: string;
  /** Unit beside a value. */
  readonly shortUnit: string;
  /** Selects the units that count. @param asOf day of the register */
  filters(asOf: string): Query;
  /** Null where the interface has no inhabitants or area for the place. */
  valueOf(group: Group): number | null;
  write(value: number): string;
  /** True for a figure by inhabitants or area, whose source is told. */
  readonly isPerPlace?: true;
  /** True for energy of storage. */
  readonly isEnergy?: true;
}

const megawattsOf = ({ bruttoleistungKw }: Group): number => bruttoleistungKw / 1000;
const megawattHoursOf = ({ speicherkapazitaetKwh }: Group): number => (speicherkapazitaetKwh ?? 0) / 1000;
const inOperation = (): Query => ({ betriebsStatus: 'In Betrieb' });

/** The day after the one that lies twelve months before: with the day of the register itself, they are twelve months. */
function firstDayOfYear(asOf: string): string {
  const before = new Date(`${monthsFrom(asOf, -12)}T00:00:00Z`);
  before.setUTCDate(before.getUTCDate() + 1);
  return before.toISOString().slice(0, 10);
}

const inLastYear = (asOf: string): Query => ({ inbetriebnahmeVon: firstDayOfYear(asOf), inbetriebnahmeBis: asOf });

export const MEASURE: Readonly<Record<MeasureId, Measure>> = {
  leistung: {
    name: 'Leistung',
    title: 'Leistung in Betrieb',
    unit: 'MW brutto, Anlagen in Betrieb',
    shortUnit: 'MW',
    filters: inOperation,
    valueOf: megawattsOf,
    write: significant,
  },
  dichte: {
    name: 'Leistung je km²',
    title: 'Leistung je Fläche',
    unit: 'MW brutto je km², Anlagen in Betrieb',
    shortUnit: 'MW je km²',
    filters: inOperation,
    valueOf: ({ kwJeKm2 }) => (kwJeKm2 == null ? null : kwJeKm2 / 1000),
    write: significant,
    isPerPlace: true,
  },
  leistungKopf: {
    name: 'Leistung je 1.000 Einwohner',
    title: 'Leistung je 1.000 Einwohner',
    unit: 'kW brutto je 1.000 Einwohner, Anlagen in Betrieb',
    shortUnit: 'kW je 1.000 Einwohner',
    filters: inOperation,
    valueOf: ({ kwJe1000Einwohner }) => kwJe1000Einwohner ?? null,
    write: significant,
    isPerPlace: true,
  },
  anzahl: {
    name: 'Anzahl',
    title: 'Anlagen in Betrieb',
    unit: 'Einheiten in Betrieb',
    shortUnit: 'Einheiten',
    filters: inOperation,
    valueOf: ({ count: units }) => units,
    write: count,
  },
  anzahlKopf: {
    name: 'Anzahl je 1.000 Einwohner',
    title: 'Anlagen je 1.000 Einwohner',
    unit: 'Einheiten in Betrieb je 1.000 Einwohner',
    shortUnit: 'Einheiten je 1.000 Einwohner',
    filters: inOperation,
    valueOf: ({ anzahlJe1000Einwohner }) => anzahlJe1000Einwohner ?? null,
    write: significant,
    isPerPlace: true,
  },
  zubau: {
    name: 'Zubau in zwölf Monaten',
    title: 'Zubau in zwölf Monaten',
    unit: 'MW brutto, in den zwölf Monaten bis zum Stand in Betrieb genommen',
    shortUnit: 'MW',
    filters: inLastYear,
    valueOf: megawattsOf,
    write: significant,
  },
  zubauKopf: {
    name: 'Zubau in zwölf Monaten je 1.000 Einwohner',
    title: 'Zubau in zwölf Monaten je 1.000 Einwohner',
    unit: 'kW brutto je 1.000 Einwohner, in den zwölf Monaten bis zum Stand in Betrieb genommen',
    shortUnit: 'kW je 1.000 Einwohner',
    filters: inLastYear,
    valueOf: ({ kwJe1000Einwohner }) => kwJe1000Einwohner ?? null,
    write: significant,
    isPerPlace: true,
  },
  pipeline: {
    name: 'Pipeline',
    title: 'Geplante Leistung',
    unit: 'MW brutto, Anlagen in Planung',
    shortUnit: 'MW',
    filters: () => ({ betriebsStatus: 'In Planung' }),
    valueOf: megawattsOf,
    write: significant,
  },
  speicher: {
    name: 'Speicherkapazität',
    title: 'Speicherkapazität in Betrieb',
    unit: 'MWh nutzbare Kapazität der Speicher in Betrieb',
    shortUnit: 'MWh',
    filters: inOperation,
    valueOf: megawattHoursOf,
    write: significant,
    isEnergy: true,
  },
  speicherKopf: {
    name: 'Speicherkapazität je 1.000 Einwohner',
    title: 'Speicherkapazität je 1.000 Einwohner',
    unit: 'kWh nutzbare Kapazität der Speicher in Betrieb je 1.000 Einwohner',
    shortUnit: 'kWh je 1.000 Einwohner',
    filters: inOperation,
    valueOf: ({ kwhJe1000Einwohner }) => kwhJe1000Einwohner ?? null,
    write: significant,
    isEnergy: true,
    isPerPlace: true,
  },
};
