import { useRef } from 'preact/hooks';
import type { Catalogue } from '../../units/catalogue.ts';
import { allPages, chunks, type Gathered, PAGE_SIZE } from '../../v1/all-pages.ts';
import type { Unit } from '../../v1/answers.ts';
import type { Answer } from '../../v1/client.ts';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { PortfolioEntry } from '../../v1/organisation-answers.ts';
import type { Anomaly } from '../../v1/quality-answers.ts';
import { type ApiRequest, addressOf } from '../../v1/request.ts';
import { useLoad } from '../../v1/use-answer.ts';

/** @param revision another one reads anew: something was changed */
export const usePortfolio = (request: ApiRequest, most: number, revision: number): Loaded<Gathered<PortfolioEntry>> =>
  useLoad(`${addressOf(request)} ${most} ${revision}`, (loading) => allPages(loading, request, { most }));

const FIELDS = ['name', 'einheitTyp', 'energietraeger', 'betriebsStatus', 'bruttoleistungKw', 'ort', 'bundesland'];
/** Fields that need a module, or the permission for a signal. */
const FURTHER = ['eegFoerderende', 'signals', 'auffaelligkeiten'];

/** The fields that are read of units; null = what this key may read is not known yet. */
export const fieldsOf = (catalogue: Loaded<Catalogue>): readonly string[] | null => {
  if (catalogue.state === 'loading') return null;
  const known = shown(catalogue)?.byName;
  return [...FIELDS, ...FURTHER.filter((name) => known?.get(name)?.verfuegbar === true && known.get(name)?.lesbar)];
};

export const unitsRequest = (numbers: readonly string[], fields: readonly string[] | null): ApiRequest => ({
  path: '/v1/units/search',
  body: {
    mastrNummern: numbers,
    fields: fields ?? FIELDS,
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
> & {
  /** The last day of support; absent = this key may not read it, as of the next two. */
  readonly eegFoerderende?: string | null;
  readonly signals?: readonly string[];
  readonly auffaelligkeiten?: readonly Anomaly[];
};

type Units = ReadonlyMap<string, PortfolioUnit>;

/**
 * Reads these units from the register, by their numbers. After a change of the portfolio only units that are new in it
 * are asked for. @param numbers null = not known yet
 */
export function useUnits(numbers: readonly string[] | null, fields: readonly string[] | null): Loaded<Units> {
  const known = useRef(new Map<string, PortfolioUnit | null>());
  const isReady = numbers !== null && fields !== null;
  return useLoad(isReady ? `units ${numbers.join(',')}` : null, async ({ ask, progress }): Promise<Units> => {
    const wanted = numbers ?? [];
    const unknown = wanted.filter((number) => !known.current.has(number));
    let done = wanted.length - unknown.length;
    for (const some of chunks(unknown, PAGE_SIZE)) {
      const { data } = await ask<Answer<readonly PortfolioUnit[]>>(unitsRequest(some, fields));
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
