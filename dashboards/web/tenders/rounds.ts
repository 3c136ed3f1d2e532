import { day, today } from '../format/dates.ts';
import type { ApiRequest } from '../v1/request.ts';
import type { TenderRound } from '../v1/tender-answers.ts';
import { technologyName } from './technologies.ts';

/** Every date of every technology: one request serves the list and each item. */
export const ALL_ROUNDS: ApiRequest = { path: '/v1/ausschreibungen' };

export const TENDERS_DATASET = 'ausschreibungen';
export const AWARDS_DATASET = 'zuschlaege';

/** „Windenergie an Land, Gebotstermin 1.5.2026“ */
export const roundName = ({ bezeichnung, technologie, datum }: TenderRound): string =>
  bezeichnung ?? `${technologyName(technologie)}, Gebotstermin ${day(datum)}`;

export const isAhead = ({ status, datum }: TenderRound): boolean => status === 'PENDING' && datum >= today();

/** Says what is known of the result of a date. */
export function resultOf(round: TenderRound): string {
  if (round.status === 'IMPORTED') return 'liegt vor';
  if (round.status === 'FAILED') return 'Liste nicht lesbar';
  return isAhead(round) ? 'angekündigt' : 'nicht geladen';
}

/** Gives how many times over the tendered volume was bid for; null = one of both is not published. */
export const oversubscription = ({ volumenBeworbenKw, volumenAusgeschriebenKw }: TenderRound): number | null =>
  volumenBeworbenKw === null || volumenAusgeschriebenKw === null || volumenAusgeschriebenKw === 0
    ? null
    : volumenBeworbenKw / volumenAusgeschriebenKw;

export const inMegawatts = (kilowatts: number | null): number | null => (kilowatts === null ? null : kilowatts / 1000);
