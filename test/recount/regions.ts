import { coverage, type Level, type Located } from '../support/places.ts';
import type { RecountedUnit } from './recount.ts';

/** The three regional analyses by plain loops over units: interface "Regional analyses", decisions 3a. */

export interface Question {
  readonly auffaellige?: 'ohne';
  readonly ebene?: 'bundesland' | 'landkreis' | 'gemeinde' | 'plz';
  readonly region?: string;
  readonly energietraeger?: string;
  readonly registerEnergietraeger?: string;
  readonly periode?: 'monat' | 'quartal' | 'jahr';
  readonly von?: string;
  readonly bis?: string;
}

type Units = readonly RecountedUnit[];

/** Those in the place and of the carriers that are asked for. */
export function selected(units: Units, question: Question): Units {
  const { ebene, region = '', energietraeger, registerEnergietraeger } = question;
  const carriers = energietraeger?.split(',');
  const inTheRegister = registerEnergietraeger?.split(',');
  const inPlace = unitsIn(units, ebene, region);
  return units.filter((unit) => {
    if (carriers !== undefined && !carriers.includes(String(unit.fields.einheitTyp))) return false;
    if (inTheRegister !== undefined && !inTheRegister.includes(String(unit.fields.energietraeger))) return false;
    return inPlace(unit);
  });
}

type Coverage = ReturnType<typeof coverage<Located>>;

/** What spellings cover is looked up once for the same units. */
const coverages = { landkreis: new WeakMap<Units, Coverage>(), gemeinde: new WeakMap<Units, Coverage>() };

function coverageOf(units: Units, level: Level): Coverage {
  const known = coverages[level].get(units);
  if (known !== undefined) return known;
  const found = coverage(
    units.map(({ fields }) => fields as unknown as Located),
    level,
  );
  coverages[level].set(units, found);
  return found;
}

function unitsIn(units: Units, ebene: Question['ebene'], region: string): (unit: RecountedUnit) => boolean {
  switch (ebene) {
    case undefined:
      return () => true;
    case 'bundesland':
      return ({ fields }) => fields.bundesland === region;
    case 'landkreis':
    case 'gemeinde': {
      const chosen = new Set(coverageOf(units, ebene)(region));
      return ({ fields }) => chosen.has(fields as unknown as Located);
    }
    case 'plz':
      return ({ fields }) => String(fields.plz ?? '').startsWith(region);
    default:
      throw new Error(`There is no level ${ebene}`);
  }
}

function periodOf(day: string, periode: Question['periode']): string {
  const [year, month] = day.split('-');
  if (periode === 'jahr') return year!;
  return periode === 'quartal' ? `${year}-Q${Math.ceil(Number(month) / 3)}` : `${year}-${month}`;
}

/** kW are summed in whole watts, so that no rounding creeps in. */
const watts = ({ fields }: RecountedUnit): number => Math.round(Number(fields.bruttoleistungKw ?? 0) * 1000);

/** Its share in the energy of its storage plant, in whole watt hours. */
const wattHours = ({ fields }: RecountedUnit): number =>
  Math.round(Number(fields.speicherkapazitaetAnteilKwh ?? 0) * 1000);

const mega = (ones: number): number => Math.round(ones) / 1e6;

interface Sum {
  anzahl: number;
  watts: number;
  wattHours: number;
}

const NOTHING: Readonly<Sum> = { anzahl: 0, watts: 0, wattHours: 0 };

const plus = (sum: Sum, unit: RecountedUnit): Sum => ({
  anzahl: sum.anzahl + 1,
  watts: sum.watts + watts(unit),
  wattHours: sum.wattHours + wattHours(unit),
});

/** Carriers of the register are told apart where they are asked for. */
const carrierOf = ({ fields }: RecountedUnit, { registerEnergietraeger: asked }: Question): string =>
  asked === undefined ? String(fields.einheitTyp) : `${fields.einheitTyp}|${fields.energietraeger}`;

function carrierMembers(key: string) {
  const [, energietraeger, registerEnergietraeger] = key.split('|');
  return { energietraeger, ...(registerEnergietraeger === undefined ? {} : { registerEnergietraeger }) };
}

export function zeitreihe(units: Units, question: Question) {
  const rows = new Map<string, Record<'zubau' | 'abbau' | 'pipeline', Sum>>();
  const count = (unit: RecountedUnit, series: 'zubau' | 'abbau' | 'pipeline', day: unknown) => {
    if (typeof day !== 'string') return;
    if (question.von !== undefined && day < question.von) return;
    if (question.bis !== undefined && day > question.bis) return;
    const key = `${periodOf(day, question.periode)}|${carrierOf(unit, question)}`;
    const empty = () => ({ ...NOTHING });
    const row = rows.get(key) ?? { zubau: empty(), abbau: empty(), pipeline: empty() };
    row[series] = plus(row[series], unit);
    rows.set(key, row);
  };
  for (const unit of selected(units, question)) {
    count(unit, 'zubau', unit.fields.inbetriebnahmedatum);
    count(unit, 'abbau', unit.fields.stilllegungsdatum);
    if (unit.fields.inbetriebnahmedatum === null) count(unit, 'pipeline', unit.fields.geplantesInbetriebnahmedatum);
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { zubau, abbau, pipeline }]) => ({
      periode: key.split('|')[0],
      ...carrierMembers(key),
      zubauAnzahl: zubau.anzahl,
      zubauMw: mega(zubau.watts),
      zubauMwh: mega(zubau.wattHours),
      abbauAnzahl: abbau.anzahl,
      abbauMw: mega(abbau.watts),
      abbauMwh: mega(abbau.wattHours),
      pipelineAnzahl: pipeline.anzahl,
      pipelineMw: mega(pipeline.watts),
      pipelineMwh: mega(pipeline.wattHours),
    }));
}

/** Completed years between two days by the calendar; a day in the future counts as none. */
function completedYears(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return Math.max(0, to.slice(5) >= from.slice(5) ? years : years - 1);
}

const IN_OPERATION = 35;
const PLANNED = 31;

export function altersstruktur(units: Units, question: Question, today: string) {
  const rows = new Map<string, Sum>();
  for (const unit of selected(units, question)) {
    const day = unit.fields.inbetriebnahmedatum;
    if (unit.statusId !== IN_OPERATION || typeof day !== 'string') continue;
    const years = completedYears(day, today);
    const key = `${years < 20 ? '0-20' : years < 25 ? '20-25' : '25+'}|${carrierOf(unit, question)}`;
    rows.set(key, plus(rows.get(key) ?? NOTHING, unit));
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, row]) => ({
      kohorte: key.split('|')[0],
      ...carrierMembers(key),
      anzahl: row.anzahl,
      mw: mega(row.watts),
      mwh: mega(row.wattHours),
    }));
}

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

/** @param von first day of the window of 90 days that ends today */
export function momentaufnahme(units: Units, question: Question, today: string, von: string) {
  const sums = { zubau: NOTHING, abbau: NOTHING, pipeline: NOTHING };
  const add = (name: keyof typeof sums, unit: RecountedUnit) => {
    sums[name] = plus(sums[name], unit);
  };
  const figures = ({ anzahl, watts, wattHours }: Sum) => ({ anzahl, mw: mega(watts), mwh: mega(wattHours) });
  const inWindow = (day: unknown) => typeof day === 'string' && day >= von && day <= today;
  let dated = 0;
  let wind = 0;
  let oldWind = 0;
  for (const unit of selected(units, question)) {
    const { fields, statusId } = unit;
    if (inWindow(fields.inbetriebnahmedatum)) add('zubau', unit);
    if (inWindow(fields.stilllegungsdatum)) add('abbau', unit);
    if (statusId === PLANNED) {
      add('pipeline', unit);
      if (fields.geplantesInbetriebnahmedatum !== null) dated++;
    }
    if (fields.einheitTyp === 'wind' && statusId === IN_OPERATION) {
      wind++;
      const day = fields.inbetriebnahmedatum;
      if (typeof day === 'string' && completedYears(day, today) >= 20) oldWind++;
    }
  }
  const { zubau, abbau, pipeline } = sums;
  return {
    zubau90Tage: figures(zubau),
    abbau90Tage: figures(abbau),
    netto90TageMw: mega(zubau.watts - abbau.watts),
    pipeline: {
      ...figures(pipeline),
      mitDatumAnzahl: dated,
      mitDatumAnteil: share(dated, pipeline.anzahl),
    },
    windUeber20Jahre: { anzahl: oldWind, gesamt: wind, anteil: share(oldWind, wind) },
  };
}
