import { useEffect, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { Waiting } from '../frame/state.tsx';
import type { Answer, Client } from '../v1/client.ts';
import { type Loaded, shown } from '../v1/loaded.ts';
import { problemOf } from '../v1/problem.ts';
import { helpsToRetry, sentenceOf } from '../v1/problem-words.ts';
import type { ApiRequest } from '../v1/request.ts';
import { useVisit } from '../v1/use-answer.ts';
import { placeText, type RegionOrCountry } from './region.ts';

/** Loads the same of several places, of which some may be there while others are waited for, or cannot be had. */

const LOADING = { state: 'loading', previous: null, progress: null, waitingUntil: null } as const;

export type Ask = <T extends Answer<unknown>>(request: ApiRequest) => Promise<T>;

/**
 * Loads places one after the other, because a key has few of these requests a minute: what stands first is there first, and
 * the rest waits where it can be seen. A place that is there already stays.
 * @param id of what is loaded of each place; null = nothing yet
 */
export const useEachPlace = <T,>(
  places: readonly RegionOrCountry[],
  id: string | null,
  load: (place: RegionOrCountry, ask: Ask) => Promise<T>,
): readonly Loaded<T>[] => useEach(byUse(places), placeText, id, load, places);

/** Loads the places of a level together. @param load answers for each of the places, in their order */
export const useLevels = <T,>(
  places: readonly RegionOrCountry[],
  id: string,
  load: (places: readonly RegionOrCountry[], ask: Ask) => Promise<readonly T[]>,
): readonly Loaded<T>[] => {
  const levels = Map.groupBy(byUse(places), (place) => place?.level ?? null);
  return useParts([...levels.values()], placeText, id, load, places);
};

/** The same as useEachPlace of whatever several things are, which differ by their texts. @param inOrder the same in the order of the result */
export const useEach = <Place, T>(
  places: readonly Place[],
  textOf: (place: Place) => string,
  id: string | null,
  load: (place: Place, ask: Ask) => Promise<T>,
  inOrder: readonly Place[] = places,
): readonly Loaded<T>[] =>
  useParts(
    places.map((place) => [place]),
    textOf,
    id,
    (part, ask) => Promise.all(part.map((place) => load(place, ask))),
    inOrder,
  );

/** @param parts of what is shown, each of which is loaded at once, in the order in which they are */
function useParts<Place, T>(
  parts: readonly (readonly Place[])[],
  textOf: (place: Place) => string,
  id: string | null,
  load: (part: readonly Place[], ask: Ask) => Promise<readonly T[]>,
  places: readonly Place[],
): readonly Loaded<T>[] {
  const { client } = useVisit();
  const [known, set] = useState<ReadonlyMap<string, Loaded<T>>>(new Map());
  const [attempt, setAttempt] = useState(0);
  const keyOf = (place: Place): string => `${id} ${textOf(place)}`;
  const all = JSON.stringify([places.map(textOf), id]);
  // `all` stands for the places and what is loaded of them.
  useEffect(() => {
    if (id === null) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    const put = (part: readonly Place[], loadedOf: (at: number) => Loaded<T>): void => {
      if (signal.aborted) return;
      set((before) => new Map([...before, ...part.map((place, at) => [keyOf(place), loadedOf(at)] as const)]));
    };
    const loadAll = async (): Promise<void> => {
      for (const part of parts) {
        if (signal.aborted) return;
        try {
          const values = await load(
            part,
            asking(client, signal, (until) => put(part, () => until)),
          );
          put(part, (at) => {
            const value = values[at];
            return value === undefined ? LOADING : { state: 'ready', value };
          });
        } catch (error) {
          const retry = () => setAttempt((count) => count + 1);
          put(part, () => ({ state: 'failed', problem: problemOf(error), retry }));
        }
      }
    };
    // Whatever is not there begins anew, also after a failure.
    set((before) => {
      const keys = places.map(keyOf);
      const kept = keys.map((key) => shown(before.get(key) ?? LOADING));
      return new Map(keys.map((key, at) => [key, kept[at] == null ? LOADING : { state: 'ready', value: kept[at] }]));
    });
    void loadAll();
    return () => aborter.abort();
  }, [client, all, attempt]);
  return places.map((place) => known.get(keyOf(place)) ?? LOADING);
}

/** The place that stands first, then the country, which the others are measured by, then these. */
function byUse(places: readonly RegionOrCountry[]): readonly RegionOrCountry[] {
  const [first, ...others] = places;
  const use = (place: RegionOrCountry): number => (place === null ? 0 : 1);
  return first === undefined ? [] : [first, ...others.toSorted((a, b) => use(a) - use(b))];
}

/** @param waits is told while a limit is waited for */
const asking =
  (client: Client, signal: AbortSignal, waits: (loaded: Loaded<never>) => void): Ask =>
  (request) =>
    client.ask(request, { signal, onWait: (until) => waits({ ...LOADING, waitingUntil: until }) });

/** What is there is shown; places that are still loading follow. @param ready what is shown of those that are there */
export function loadedPart<Part>(ready: readonly Part[], loads: readonly Loaded<unknown>[]): Loaded<readonly Part[]> {
  if (ready.length > 0) return { state: 'ready', value: ready };
  const failed = loads.find((load) => load.state === 'failed');
  if (failed?.state === 'failed') return failed;
  return { ...LOADING, waitingUntil: waitOf(loads) };
}

/** Says which places are still missing, when it goes on, and why some cannot be had. */
export function MissingPlaces({ names, loads }: { names: readonly string[]; loads: readonly Loaded<unknown>[] }) {
  const waiting = names.filter((_, index) => loads[index]?.state === 'loading');
  const failed = loads.find((load) => load.state === 'failed');
  const done = loads.filter(({ state }) => state === 'ready').length;
  if (done === 0) return null;
  return (
    <>
      {waiting.length > 0 && (
        <div class="pending">
          <p>
            {say('Es fehlen noch: ', 'Still missing: ')}
            {waiting.join(', ')}
          </p>
          <Waiting
            loaded={{ ...LOADING, progress: { done, of: loads.length }, waitingUntil: waitOf(loads) }}
            height={0}
          />
        </div>
      )}
      {failed?.state === 'failed' && (
        <p class="note" role="alert">
          {say('Nicht alle Orte konnten geladen werden: ', 'Not all places could be loaded: ')}
          {sentenceOf(failed.problem)}{' '}
          {helpsToRetry(failed.problem) && (
            <button type="button" onClick={failed.retry}>
              {say('Erneut versuchen', 'Try again')}
            </button>
          )}
        </p>
      )}
    </>
  );
}

/** The moment at which the last of the places that wait for a limit goes on; null = none waits. */
function waitOf(loads: readonly Loaded<unknown>[]): number | null {
  const waits = loads.flatMap((load) =>
    load.state === 'loading' && load.waitingUntil !== null ? [load.waitingUntil] : [],
  );
  return waits.length === 0 ? null : Math.max(...waits);
}
