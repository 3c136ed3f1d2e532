import { useEffect, useState } from 'preact/hooks';
import type { Span } from '../../figures/months.ts';
import { ageRequest, seriesRequest, snapshotRequest, stockRequest } from '../../figures/requests.ts';
import { type RegionOrCountry, regionText } from '../../regions/region.ts';
import type { AgeStructure, Aggregation, SnapshotAnswer, TimeSeries } from '../../v1/answers.ts';
import type { Answer, Client } from '../../v1/client.ts';
import { type Loaded, shown } from '../../v1/loaded.ts';
import { problemOf } from '../../v1/problem.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useVisit } from '../../v1/use-answer.ts';

/** All that a comparison needs of one place. */
export interface Profile {
  readonly snapshot: SnapshotAnswer;
  readonly stock: Aggregation;
  readonly series: TimeSeries;
  readonly age: AgeStructure;
}

export const profileRequests = (region: RegionOrCountry, span: Span): readonly ApiRequest[] => [
  snapshotRequest(region),
  stockRequest(region),
  seriesRequest(region, span),
  ageRequest(region),
];

const LOADING = { state: 'loading', previous: null, progress: null, waitingUntil: null } as const;

const idOf = (region: RegionOrCountry): string => (region === null ? '' : regionText(region));

/**
 * Loads places one after the other, because a key has few of these requests a minute: what stands first is there first, and
 * the rest waits where it can be seen. A place that is there already stays.
 * @param span null = not known yet
 */
export function useProfiles(regions: readonly RegionOrCountry[], span: Span | null): readonly Loaded<Profile>[] {
  const { client } = useVisit();
  const [known, set] = useState<ReadonlyMap<string, Loaded<Profile>>>(new Map());
  const [attempt, setAttempt] = useState(0);
  const id = JSON.stringify([regions.map(idOf), span]);
  // `id` stands for regions and span.
  useEffect(() => {
    if (span === null) return;
    const { signal, abort } = aborter();
    const put = (region: RegionOrCountry, loaded: Loaded<Profile>): void => {
      if (!signal.aborted) set((before) => new Map(before).set(idOf(region), loaded));
    };
    const loadAll = async (): Promise<void> => {
      for (const region of byUse(regions)) {
        if (signal.aborted) return;
        try {
          const onWait = (until: number | null): void => put(region, { ...LOADING, waitingUntil: until });
          put(region, { state: 'ready', value: await loadProfile(client, region, span, signal, onWait) });
        } catch (error) {
          put(region, { state: 'failed', problem: problemOf(error), retry: () => setAttempt((count) => count + 1) });
        }
      }
    };
    // Whatever is not there begins anew, also after a failure.
    set(
      (before) =>
        new Map(
          regions.map(idOf).map((place) => {
            const value = shown(before.get(place) ?? LOADING);
            return [place, value === null ? LOADING : { state: 'ready', value }];
          }),
        ),
    );
    void loadAll();
    return abort;
  }, [client, id, attempt]);
  return regions.map((region) => known.get(idOf(region)) ?? LOADING);
}

/** The place that the page is about, then the country, which it is measured by, then the others. */
function byUse(regions: readonly RegionOrCountry[]): readonly RegionOrCountry[] {
  const [first, ...others] = regions;
  const use = (region: RegionOrCountry): number => (region === null ? 0 : 1);
  return first === undefined ? [] : [first, ...others.toSorted((a, b) => use(a) - use(b))];
}

function aborter(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function loadProfile(
  client: Client,
  region: RegionOrCountry,
  span: Span,
  signal: AbortSignal,
  onWait: (until: number | null) => void,
): Promise<Profile> {
  const ask = <T extends Answer<unknown>>(request: ApiRequest) => client.ask<T>(request, { signal, onWait });
  const [snapshot, stock, series, age] = await Promise.all([
    ask<SnapshotAnswer>(snapshotRequest(region)),
    ask<Aggregation>(stockRequest(region)),
    ask<TimeSeries>(seriesRequest(region, span)),
    ask<AgeStructure>(ageRequest(region)),
  ]);
  return { snapshot, stock, series, age };
}
