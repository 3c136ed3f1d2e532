import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { energy, power, signed, unitCount } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { lastDay, periodNumber, periodOfDay } from '../../periods/periods.ts';
import { nameOfPeriod } from '../../periods/words.ts';
import type { TimeSeriesRow } from '../../v1/answers.ts';
import { type Column, figuresOf, measured, sumOf } from './growth.ts';
import type { GrowthView } from './growth-chart.tsx';

const MW = 1000;

interface SummedProps {
  /** Counts what happened in each period, without running sums. */
  readonly columns: readonly Column[];
  /** All rows of the answer, also of periods that are not shown. */
  readonly rows: readonly TimeSeriesRow[];
  readonly view: GrowthView;
}

/** Sums over the periods and carriers that are shown. */
export function GrowthTotals({ columns, view: { kind, series, measure, asOf } }: Omit<SummedProps, 'rows'>) {
  const now = periodOfDay(kind, asOf);
  const total = sumOf(columns.flatMap(({ parts }) => parts));
  const ahead = sumOf(columns.filter(({ period }) => period >= now).flatMap(({ parts }) => parts));
  const isEnergy = measure === 'mwh';
  const sums = measured(total, isEnergy ? 'mwh' : 'mw');
  const plans = measured(ahead, isEnergy ? 'mwh' : 'mw').pipeline;
  const amount = (mega: number): string => (isEnergy ? energy(mega * MW) : power(mega * MW));
  // Units of all carriers are no measure of energy, which storage alone has.
  const of = (units: string) => (isEnergy ? {} : { more: units });
  const netUnits = total.zubauAnzahl - total.abbauAnzahl;
  return (
    <Facts
      facts={[
        { name: say('Zubau', 'Added'), value: amount(sums.zubau), ...of(units(total.zubauAnzahl)) },
        { name: say('Abbau', 'Removed'), value: amount(sums.abbau), ...of(units(total.abbauAnzahl)) },
        {
          name: say('Netto', 'Net'),
          value: `${sums.netto > 0 ? '+' : ''}${amount(sums.netto)}`,
          ...of(
            `${signed(netUnits, 0)}\u00a0${Math.abs(netUnits) === 1 ? say('Einheit', 'unit') : say('Einheiten', 'units')}`,
          ),
        },
        ...(series.includes('pipeline')
          ? [{ name: say('Geplant', 'Planned'), value: amount(plans), ...of(units(ahead.pipelineAnzahl)) }]
          : []),
      ]}
    />
  );
}

/** Says what readers have to know about the end of the data, and about plans. */
export function GrowthNotes({ columns, rows, view: { kind, range, series, carriers, asOf } }: SummedProps) {
  const now = periodOfDay(kind, asOf);
  const hasPlans = series.includes('pipeline');
  const overdue = sumOf(columns.filter(({ period }) => period < now).flatMap(({ parts }) => parts));
  const later = sumOf(
    rows
      .filter(
        ({ periode, energietraeger }) =>
          periodNumber(kind, periode) > range.last && carriers.some((carrier) => carrier === energietraeger),
      )
      .map(figuresOf),
  );
  const isOpen = now >= range.first && now <= range.last && lastDay(kind, now) > asOf;
  const notes = [
    isOpen &&
      say(
        `${nameOfPeriod(kind, now)} ist bis zum Stand ${day(asOf)} gezählt; die letzten Wochen wachsen durch Nachmeldungen noch.`,
        `${nameOfPeriod(kind, now)} is counted up to ${day(asOf)}; the last weeks still grow by late registrations.`,
      ),
    hasPlans &&
      overdue.pipelineAnzahl > 0 &&
      say(
        `Schraffiert vor dem Stand: geplanter Termin verstrichen, nicht in Betrieb (${units(overdue.pipelineAnzahl)}, ${power(overdue.pipelineMw * MW)}).`,
        `Hatched before that day: planned day passed, not in operation (${units(overdue.pipelineAnzahl)}, ${power(overdue.pipelineMw * MW)}).`,
      ),
    hasPlans &&
      later.pipelineAnzahl > 0 &&
      say(
        `Geplant nach ${nameOfPeriod(kind, range.last)}: ${units(later.pipelineAnzahl)}, ${power(later.pipelineMw * MW)}.`,
        `Planned after ${nameOfPeriod(kind, range.last)}: ${units(later.pipelineAnzahl)}, ${power(later.pipelineMw * MW)}.`,
      ),
    hasPlans && say('Pläne ohne Datum fehlen.', 'Plans without a date are missing.'),
  ].filter((text) => text !== false);
  return notes.length === 0 ? null : <p class="note">{notes.join(' ')}</p>;
}

const units = (value: number): string => unitCount(value);
