import { day, writtenDays } from '../format/dates.ts';
import { say } from '../format/language.ts';
import type { ApiRequest } from '../v1/request.ts';
import type { TenderRound } from '../v1/tender-answers.ts';
import { technologyName } from './technologies.ts';

/** Every date of every technology: one request serves the list and each item. */
export const ALL_ROUNDS: ApiRequest = { path: '/v1/ausschreibungen' };

export const TENDERS_DATASET = 'ausschreibungen';
export const AWARDS_DATASET = 'zuschlaege';

/** „Windenergie an Land, Gebotstermin 01.05.2026“; the interface names it with the day as the Bundesnetzagentur writes it. */
export const roundName = ({ bezeichnung, technologie, datum }: TenderRound): string =>
  say(
    bezeichnung === null ? `${technologyName(technologie)}, Gebotstermin ${day(datum)}` : writtenDays(bezeichnung),
    `${technologyName(technologie)}, bid date ${day(datum)}`,
  );

export const isAhead = ({ ergebnis }: TenderRound): boolean => ergebnis === 'ANGEKUENDIGT';

const RESULTS: Readonly<Record<string, string>> = {
  VORHANDEN: say('liegt vor', 'published'),
  ANGEKUENDIGT: say('angekündigt', 'announced'),
  NICHT_GELADEN: say('nicht geladen', 'not loaded'),
  NICHT_LESBAR: say('Liste nicht lesbar', 'list not readable'),
};

/** Says what is known of the result of a date. */
export const resultOf = ({ ergebnis }: TenderRound): string => RESULTS[ergebnis] ?? ergebnis;

/** Gives how many times over the tendered volume was bid for; null = one of both is not published. */
export const oversubscription = ({ volumenBeworbenKw, volumenAusgeschriebenKw }: TenderRound): number | null =>
  volumenBeworbenKw === null || volumenAusgeschriebenKw === null || volumenAusgeschriebenKw === 0
    ? null
    : volumenBeworbenKw / volumenAusgeschriebenKw;

export const inMegawatts = (kilowatts: number | null): number | null => (kilowatts === null ? null : kilowatts / 1000);
