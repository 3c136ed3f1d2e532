import type { Boundaries } from '../../map/boundaries.ts';
import { loadBoundaries } from '../../map/boundaries.ts';
import { KEY_DIGITS, type MapLevel } from '../../map/level.ts';
import { unitQuery } from '../../regions/region.ts';
import type { Aggregation, Group, PlaceList } from '../../v1/answers.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import type { Loading } from '../../v1/use-answer.ts';
import type { Scope } from './scope.ts';

/** Boundaries and figures of a map. */
export interface AreaData {
  readonly boundaries: Boundaries;
  readonly groups: readonly Group[];
  readonly totals: { readonly count: number; readonly bruttoleistungKw: number };
  /** True: there are more places than the interface names at once, and only the largest thousand are here. */
  readonly isPartial: boolean;
  /** The official list of places by which figures are divided. */
  readonly list: PlaceList | null;
  /** Keys of all places that have any unit; null = not known. */
  readonly known: ReadonlySet<string> | null;
}

export function areaRequest({ level, region }: Scope, filters: Query): ApiRequest {
  return { path: '/v1/aggregations', query: { groupBy: level, ...unitQuery(region), ...filters } };
}

/** @param isComplete asks district by district where one answer does not name all municipalities */
export async function loadAreas(
  scope: Scope,
  filters: Query,
  isComplete: boolean,
  loading: Loading,
): Promise<AreaData> {
  const { level, prefix } = scope;
  const [boundaries, answer] = await Promise.all([
    loadBoundaries(level),
    loading.ask<Aggregation>(areaRequest(scope, filters)),
  ]);
  const { groups, totals } = answer.data;
  const { truncated, bezug: list = null } = answer.meta;
  if (truncated && isComplete) {
    const districts = [...new Set(boundaries.areas.map(({ key }) => key.slice(0, KEY_DIGITS.landkreis)))];
    const all = await eachDistrict(
      districts.filter((key) => key.startsWith(prefix)),
      filters,
      loading,
    );
    // Places without a key, or of another district than the map knows, are only in the answer for the whole state.
    const named = new Set(all.map(({ key }) => key));
    const rest = groups.filter(({ key }) => !named.has(key));
    return { boundaries, groups: [...all, ...rest], totals, list, isPartial: false, known: null };
  }
  const known = level === 'gemeinde' && !truncated ? await knownKeys(scope, loading) : null;
  return { boundaries, groups, totals, list, isPartial: truncated, known };
}

async function eachDistrict(districts: readonly string[], filters: Query, loading: Loading): Promise<readonly Group[]> {
  let done = 0;
  loading.progress({ done, of: districts.length });
  const answers = await Promise.all(
    districts.map(async (value) => {
      const scope: Scope = { level: 'gemeinde', region: { level: 'landkreis', value }, prefix: value };
      const answer = await loading.ask<Aggregation>(areaRequest(scope, filters));
      done += 1;
      loading.progress({ done, of: districts.length });
      return answer.data.groups;
    }),
  );
  return answers.flat();
}

/** A municipality that was merged into another is still on the map, but no unit has its key any more. */
async function knownKeys(scope: Scope, loading: Loading): Promise<ReadonlySet<string> | null> {
  const { data, meta } = await loading.ask<Aggregation>(areaRequest(scope, {}));
  return meta.truncated ? null : new Set(data.groups.map(({ schluessel }) => schluessel ?? ''));
}

/** In the dative: „nach Landkreisen“. */
export const LEVEL_NOUNS: Readonly<Record<MapLevel, string>> = {
  bundesland: 'Bundesländern',
  landkreis: 'Landkreisen und kreisfreien Städten',
  gemeinde: 'Gemeinden',
};
