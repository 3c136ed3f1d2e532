import type { Span } from '../../figures/months.ts';
import { ageRequest, seriesRequest, snapshotRequest, stockRequest } from '../../figures/requests.ts';
import { type Ask, useEachPlace } from '../../regions/each-place.tsx';
import type { RegionOrCountry } from '../../regions/region.ts';
import type { AgeStructure, Aggregation, SnapshotAnswer, TimeSeries } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';

/** All that a comparison needs of one place. */
export interface Profile {
  readonly snapshot: SnapshotAnswer;
  readonly stock: Aggregation;
  readonly series: TimeSeries;
  readonly age: AgeStructure;
}

export const profileRequests = (region: RegionOrCountry, span: Span): readonly ApiRequest[] => [
  snapshotRequest(region, span),
  stockRequest(region),
  seriesRequest(region, span),
  ageRequest(region),
];

/** @param span null = not known yet */
export const useProfiles = (regions: readonly RegionOrCountry[], span: Span | null): readonly Loaded<Profile>[] =>
  useEachPlace(regions, span === null ? null : JSON.stringify(span), (region, ask) =>
    loadProfile(region, span as Span, ask),
  );

async function loadProfile(region: RegionOrCountry, span: Span, ask: Ask): Promise<Profile> {
  const [snapshot, stock, series, age] = await Promise.all([
    ask<SnapshotAnswer>(snapshotRequest(region, span)),
    ask<Aggregation>(stockRequest(region)),
    ask<TimeSeries>(seriesRequest(region, span)),
    ask<AgeStructure>(ageRequest(region)),
  ]);
  return { snapshot, stock, series, age };
}
