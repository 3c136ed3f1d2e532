/** The rounds of the tenders of which the generator invents lists: award number series, bid dates and published figures. */

import { type CalendarRound, calendarCode } from '../../../sql/tenders/calendar.ts';
import { isProcedure, isTechnology, type Procedure, type Technology } from '../../../sql/tenders/technologies.ts';
import { readTable } from '../world/csv.ts';
import { baseOf, bits } from '../world/random.ts';
import { date, dayOf } from '../world/text.ts';

/** Published figures of a round; undefined where no source has them. Volumes in kW, values in ct/kWh. */
interface Figures {
  readonly tendered: number | undefined;
  readonly bids: number | undefined;
  readonly bid: number | undefined;
  readonly awards: number | undefined;
  readonly awarded: number | undefined;
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  readonly mean: number | undefined;
  readonly cap: number | undefined;
}

export interface Round {
  readonly series: string;
  /** Series, year and ordinal as award numbers begin: `WIN19-5`. */
  readonly code: string;
  readonly technology: Technology;
  readonly procedure: Procedure;
  /** Bid date. */
  readonly day: number;
  /** Day on which its list appears. */
  readonly published: number;
  readonly figures: Figures;
}

const NO_FIGURES: Figures = {
  tendered: undefined,
  bids: undefined,
  bid: undefined,
  awards: undefined,
  awarded: undefined,
  lowest: undefined,
  highest: undefined,
  mean: undefined,
  cap: undefined,
};

function figuresByRound(): ReadonlyMap<string, Figures> {
  const number = (text: string | undefined): number | undefined =>
    text === undefined || text === '' ? undefined : Number(text);
  return new Map(
    readTable('tender-rounds.csv').map((row) => {
      const [technology, day, procedure, tendered, bids, bid, awards, awarded, lowest, highest, mean, cap] = row;
      return [
        `${technology} ${procedure} ${day}`,
        {
          tendered: number(tendered),
          bids: number(bids),
          bid: number(bid),
          awards: number(awards),
          awarded: number(awarded),
          lowest: number(lowest),
          highest: number(highest),
          mean: number(mean),
          cap: number(cap),
        },
      ];
    }),
  );
}

function calendar(): CalendarRound[] {
  return readTable('tender-calendar.csv').map(
    ([serie = '', year, ordinal, day = '', technology = '', procedure = '', proof = '']) => {
      if (!isTechnology(technology)) throw new Error(`tender-calendar.csv: no technology ${technology}`);
      return {
        serie,
        jahr: Number(year),
        ordnungszahl: Number(ordinal),
        datum: day === '' ? null : day,
        technologie: technology,
        verfahren: isProcedure(procedure) ? procedure : null,
        beleg: proof,
      };
    },
  );
}

function read(): Round[] {
  const figures = figuresByRound();
  return calendar().flatMap((round) => {
    const { serie, datum, technologie, verfahren } = round;
    const day = dayOf(datum ?? '');
    const known = figures.get(`${technologie} ${verfahren ?? ''} ${datum}`) ?? NO_FIGURES;
    // Rounds of biomethane had no awards, nearly all of them.
    if (day === undefined || technologie === 'BIOMETHAN') return [];
    // Lists appear two and a half to eleven weeks after the bid date; those of the spring of 2020 came in September.
    const delayed = day >= date(2020, 3) && day < date(2020, 7);
    const published = delayed ? date(2020, 9, 15) : day + 18 + (bits(baseOf(0, 900, day), 1) % 60);
    return [
      {
        series: serie,
        code: calendarCode(round),
        technology: technologie,
        procedure: verfahren,
        day,
        published,
        figures: known,
      },
    ];
  });
}

/** All rounds in which bids won, by series and time. */
export const ROUNDS: readonly Round[] = read();

/** From this bid date on, lists of wind name the register numbers of the turbines. */
export const UNITS_NAMED_FROM = date(2019, 5);
/** From this bid date on, lists have the volume of each award. */
export const VOLUMES_NAMED_FROM = date(2024, 6);
