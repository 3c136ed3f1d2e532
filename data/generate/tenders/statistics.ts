/** Figures of rounds: statistics workbooks and the transposed overview pages. */

import { bits, roll } from '../world/random.ts';
import { date, dayText } from '../world/text.ts';
import type { RoundAwards } from './awards.ts';
import type { Round } from './calendar.ts';
import { INVENTED, longDay } from './lists.ts';
import type { Cell, Sheet } from './sheets.ts';

/** Complete figures of a round: those that are published, and invented ones where nothing is. kW, ct/kWh. */
export interface RoundFigures {
  readonly tendered: number;
  readonly bids: number;
  readonly bid: number;
  readonly awards: number;
  readonly awarded: number;
  readonly lowest: number;
  readonly highest: number;
  readonly mean: number;
}

export function figuresOf({ round, bids, awards }: RoundAwards): RoundFigures {
  const { figures } = round;
  const sum = awards.reduce((total, { kilowatts }) => total + kilowatts, 0);
  const awarded = figures.awarded ?? sum;
  const base = awards[0]?.base ?? 0;
  const mean = figures.mean ?? Math.round(500 + 400 * roll(base, 40)) / 100;
  const cents = (value: number): number => Math.round(value * 100) / 100;
  return {
    tendered: figures.tendered ?? Math.ceil(awarded / 1000) * 1000,
    bids: figures.bids ?? bids,
    bid: figures.bid ?? Math.round(awarded * (1 + roll(base, 41))),
    awards: awards.length,
    awarded,
    lowest: figures.lowest ?? cents(Math.min(mean, mean * (0.8 + 0.2 * roll(base, 42)))),
    highest: figures.highest ?? cents(mean * (1 + 0.05 * roll(base, 43))),
    mean,
  };
}

/** A value that a workbook holds unrounded and that rounds to this one. */
function unrounded(value: number, base: number, draw: number): number {
  return Math.round((value + 0.008 * (roll(base, draw) - 0.5)) * 1e6) / 1e6;
}

/** Name of the procedure in the workbooks. */
const PROCEDURES = new Map([
  ['WIND', 'EEG Wind'],
  ['SOLAR_FREIFLAECHE', 'EEG Solar'],
  ['SOLAR_DACH', 'EEG Solar zweites Segment'],
  ['BIOMASSE', 'EEG Biomasse'],
  ['INNOVATION', 'Innovationsausschreibung'],
]);

/** Statistics workbook of a technology: an overview with six rows above a header of two rows, then a sheet for each bid date. */
export function statisticsOf(rounds: readonly RoundAwards[]): Sheet[] {
  const titles: Cell[][] = [
    [`${INVENTED}: kein Dokument der Bundesnetzagentur`],
    ['Statistiken zum Ausschreibungsverfahren'],
    ['Übersicht über alle Gebotstermine'],
    [],
    ['Mengen in kW, Werte in ct/kWh'],
    [],
  ];
  const upper: Cell[] = [
    'Verfahren',
    'Gebotstermin',
    'Ausschreibungs-\nvolumen (kW)',
    'Gebotsmenge (kW)',
    'Gebotswert (ct/kWh)',
    undefined,
    undefined,
    'Zuschlagsmenge (kW)',
    undefined,
    'Zuschlagswert (ct/kWh)',
  ];
  const lower: Cell[] = [
    undefined,
    undefined,
    undefined,
    undefined,
    'Min.',
    'Max.',
    'Gew. Mittel',
    'bei Zuschlag',
    'nach Entwertung',
    'Min.',
    'Max.',
    'Gew. Mittel',
  ];
  const rows = rounds.map((each): Cell[] => {
    const { round } = each;
    const base = each.awards[0]?.base ?? 0;
    const { tendered, bid, awarded, lowest, highest, mean } = figuresOf(each);
    return [
      PROCEDURES.get(round.technology) ?? round.technology,
      { day: round.day },
      tendered,
      bid + 0.25,
      unrounded(lowest, base, 44),
      unrounded(highest * 1.1, base, 45),
      unrounded(mean * 1.03, base, 46),
      awarded - 0.3,
      Math.round(awarded * (1 - 0.1 * roll(base, 47))),
      unrounded(lowest, base, 48),
      unrounded(highest, base, 49),
      unrounded(mean, base, 50),
    ];
  });
  const single = rounds.map(
    (each): Sheet => ({
      name: dayText(each.round.day),
      rows: [[`Gebotstermin ${longDay(each.round.day)}`], [], ['Anzahl Zuschläge', figuresOf(each).awards]],
    }),
  );
  const merged = ['E7:G7', 'H7:I7', 'J7:L7', 'A7:A8', 'B7:B8', 'C7:C8', 'D7:D8'];
  return [{ name: 'Übersicht', rows: [...titles, upper, lower, ...rows], merged }, ...single];
}

/** Rows of an overview page; volumes are in MW until 2018. */
const FIGURE_ROWS: readonly (readonly [label: string, value: keyof RoundFigures, volume: boolean])[] = [
  ['Ausgeschriebene Menge', 'tendered', true],
  ['Eingereichte Gebote', 'bids', false],
  ['Eingereichte Gebotsmenge', 'bid', true],
  ['Zuschläge', 'awards', false],
  ['Zuschlagsmenge', 'awarded', true],
  ['durchschnittlicher, mengengewichteter Zuschlagswert (ct/kWh)', 'mean', false],
  ['niedrigster Gebotswert (mit Zuschlag) (ct/kWh)', 'lowest', false],
  ['höchster Gebotswert (mit Zuschlag) (ct/kWh)', 'highest', false],
];

const inMegawatts = ({ day }: Round): boolean => day < date(2019);

/** Overview page: a block for each year, a column for each bid date, a row for each figure. */
export function overviewOf(title: string, rounds: readonly RoundAwards[]): Sheet {
  const years = Map.groupBy(rounds, ({ round }) => dayText(round.day).slice(0, 4));
  const blocks = [...years].flatMap(([year, own]): Cell[][] => {
    const megawatts = own.every(({ round }) => inMegawatts(round));
    const unit = megawatts ? 'MW' : 'kW';
    const rows = FIGURE_ROWS.map(([label, value, volume]): Cell[] => [
      volume ? `${label} (${unit})` : label,
      ...own.map((each) => {
        const figure = figuresOf(each)[value];
        // The first innovation tender has two values in one cell: single plants and combinations.
        if (value === 'mean' && each.round.code === 'INN20-1') return '2,65/4,50';
        return volume ? volumeText(figure, megawatts) : String(figure).replace('.', ',');
      }),
    ]);
    const exclusions: Cell[] = ['Gebotsausschlüsse', ...own.map(({ awards }) => bits(awards[0]?.base ?? 0, 51) % 9)];
    return [[year], ['Gebotstermin', ...own.map(({ round }) => longDay(round.day))], ...rows, exclusions, []];
  });
  return { name: 'Übersicht', rows: [[`${INVENTED}: ${title}`], [], ...blocks] };
}

/** `179.410` kW with a dot for thousands, or `179,41` MW. */
function volumeText(kilowatts: number, megawatts: boolean): string {
  return megawatts
    ? String(kilowatts / 1000).replace('.', ',')
    : String(Math.round(kilowatts)).replace(/\B(?=(\d{3})+$)/g, '.');
}
