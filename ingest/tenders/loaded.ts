import { type Calendar, calendarOf, keyOf } from '../../sql/tenders/calendar.ts';
import { roundName, type TenderKey, tenderId } from '../../sql/tenders/technologies.ts';
import { awardsOf, earliest, findingsOf } from './lists-of-round.ts';
import { referenceCalendar, referenceRounds } from './reference.ts';
import type { ListedAward, TenderFinding, TenderRound } from './round.ts';
import { failedLoads, type StoredRound, storedRounds } from './store.ts';

export type { ListedAward } from './round.ts';

/** The tenders as a build takes them. */
export interface LoadedTenders {
  /** By id, which is by date. */
  readonly rounds: readonly TenderRound[];
  /** By id. */
  readonly awards: readonly ListedAward[];
  readonly findings: readonly TenderFinding[];
  /** Says which award number belongs to which round. */
  readonly calendar: Calendar;
}

/**
 * The rounds of the product, those of the calendar up to the end of the next year, and all that is loaded in a warehouse.
 * Of a round that is both, the workbook counts for volumes and mean, the product's table for the lowest and highest bid and
 * the number of awards (both first, where the other has nothing), and the lists add their awards.
 * @param day YYYY-MM-DD; the calendar goes on to the end of the year after it
 */
export function loadedTenders(warehouse: string, day: string): LoadedTenders {
  const stored = storedRounds(warehouse);
  const calendar = loadedCalendar(stored, day);
  const known: ReadonlyMap<number, TenderRound> = new Map(referenceRounds().map((round) => [round.id, round]));
  const rounds = new Map(known);
  for (const key of calendar.rounds.flatMap((round) => keyOf(round) ?? [])) {
    if (!rounds.has(tenderId(key))) rounds.set(tenderId(key), announced(key));
  }
  for (const round of stored) {
    const base = rounds.get(round.id) ?? announced(round);
    rounds.set(round.id, withStored(base, round));
  }
  for (const [id, round] of rounds) {
    if (!hasResult(round)) rounds.set(id, announced(round));
  }
  for (const { gebotstermin, ...key } of failedLoads(warehouse)) {
    if (gebotstermin === null || key.round === null) continue;
    const round = rounds.get(gebotstermin) ?? announced(key.round);
    if (!hasResult(round)) rounds.set(gebotstermin, { ...round, status: 'FAILED' });
  }
  return {
    rounds: [...rounds.values()].toSorted((a, b) => a.id - b.id),
    awards: stored.flatMap(awardsOf).toSorted((a, b) => a.id - b.id),
    findings: stored.flatMap((round) => findingsOf(round, known.get(round.id))),
    calendar,
  };
}

/** The product's calendar and what the loaded lists say themselves: their own codes count. */
export const loadedCalendar = (stored: readonly StoredRound[], day: string): Calendar =>
  calendarOf([
    ...referenceCalendar(Number(day.slice(0, 4)) + 1),
    ...stored.flatMap(({ listen }) => listen.flatMap(({ kalender }) => kalender)),
  ]);

/** A round of which only the date is known. */
const announced = ({ technologie, verfahren, datum }: TenderKey): TenderRound => ({
  id: tenderId({ technologie, verfahren, datum }),
  ...{ technologie, verfahren, datum, status: 'PENDING', bezeichnung: null },
  ...{ zuschlaege: null, volumenAusgeschriebenKw: null, volumenBeworbenKw: null, volumenBezuschlagtKw: null },
  ...{
    gebotNiedrigstesCtKwh: null,
    gebotHoechstesCtKwh: null,
    zuschlagswertDurchschnittCtKwh: null,
    hoechstwertCtKwh: null,
  },
  // The table of the product has every round with one price or a fixed premium.
  ...{ einheitspreis: false, festePraemie: false, bekanntgabe: null, quelle: null, liste: false },
});

/** Says whether anything of the result is known: the volume on offer is announced before. */
const hasResult = (round: TenderRound): boolean =>
  round.liste ||
  [round.zuschlaege, round.volumenBeworbenKw, round.volumenBezuschlagtKw].some((figure) => figure !== null) ||
  [round.gebotNiedrigstesCtKwh, round.gebotHoechstesCtKwh, round.zuschlagswertDurchschnittCtKwh].some(
    (figure) => figure !== null,
  );

function withStored(base: TenderRound, round: StoredRound): TenderRound {
  const { listen, statistik } = round;
  const lowest = base.gebotNiedrigstesCtKwh ?? statistik?.gebotNiedrigstesCtKwh ?? null;
  const highest = base.gebotHoechstesCtKwh ?? statistik?.gebotHoechstesCtKwh ?? null;
  const sources = [base.quelle, statistik?.quelle, ...listen.map(({ quelle }) => quelle)].filter(
    (source) => source !== null && source !== undefined,
  );
  return {
    ...base,
    status: 'IMPORTED',
    bezeichnung: roundName(base),
    volumenAusgeschriebenKw: statistik?.volumenAusgeschriebenKw ?? base.volumenAusgeschriebenKw,
    volumenBeworbenKw: statistik?.volumenBeworbenKw ?? base.volumenBeworbenKw,
    volumenBezuschlagtKw: statistik?.volumenBezuschlagtKw ?? base.volumenBezuschlagtKw,
    zuschlagswertDurchschnittCtKwh: statistik?.zuschlagswertDurchschnittCtKwh ?? base.zuschlagswertDurchschnittCtKwh,
    hoechstwertCtKwh: base.hoechstwertCtKwh ?? statistik?.hoechstwertCtKwh ?? null,
    zuschlaege: base.zuschlaege ?? statistik?.zuschlaege ?? (listen.length === 0 ? null : awardsOf(round).length),
    gebotNiedrigstesCtKwh: lowest,
    gebotHoechstesCtKwh: highest,
    bekanntgabe: earliest(listen.map(({ bekanntgabe }) => bekanntgabe)) ?? base.bekanntgabe,
    quelle: sources.join('; '),
    liste: listen.length > 0,
  };
}
