import { useRef } from 'preact/hooks';
import { allPages, chunks, type Gathered, PAGE_SIZE } from '../../v1/all-pages.ts';
import type { Unit, UnitList } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { PortfolioEntry } from '../../v1/organisation-answers.ts';
import { type ApiRequest, addressOf } from '../../v1/request.ts';
import { useLoad } from '../../v1/use-answer.ts';

/** @param revision another one reads anew: something was changed */
export const usePortfolio = (request: ApiRequest, most: number, revision: number): Loaded<Gathered<PortfolioEntry>> =>
  useLoad(`${addressOf(request)} ${most} ${revision}`, (loading) => allPages(loading, request, { most }));

export const unitsRequest = (numbers: readonly string[]): ApiRequest => ({
  path: '/v1/units/search',
  body: {
    mastrNummern: numbers,
    fields: ['name', 'einheitTyp', 'energietraeger', 'betriebsStatus', 'bruttoleistungKw', 'ort', 'bundesland'],
    limit: PAGE_SIZE,
  },
});

export type PortfolioUnit = Pick<
  Unit,
  | 'mastrNummer'
  | 'name'
  | 'einheitTyp'
  | 'energietraeger'
  | 'betriebsStatus'
  | 'bruttoleistungKw'
  | 'ort'
  | 'bundesland'
>;

type Units = ReadonlyMap<string, PortfolioUnit>;

/**
 * Reads these units from the register, by their numbers. After a change of the portfolio only units that are new in it
 * are asked for. @param numbers null = not known yet
 */
export function useUnits(numbers: readonly string[] | null): Loaded<Units> {
  const known = useRef(new Map<string, PortfolioUnit | null>());
  return useLoad(numbers === null ? null : `units ${numbers.join(',')}`, async ({ ask, progress }): Promise<Units> => {
    const wanted = numbers ?? [];
    const unknown = wanted.filter((number) => !known.current.has(number));
    let done = wanted.length - unknown.length;
    for (const some of chunks(unknown, PAGE_SIZE)) {
      const { data } = await ask<UnitList>(unitsRequest(some));
      const found = new Map<string, PortfolioUnit>(data.map((unit) => [unit.mastrNummer, unit]));
      for (const number of some) known.current.set(number, found.get(number) ?? null);
      done += some.length;
      progress({ done, of: wanted.length });
    }
    return new Map(
      wanted.flatMap((number) => {
        const unit = known.current.get(number);
        return unit == null ? [] : [[number, unit] as const];
      }),
    );
  });
}
