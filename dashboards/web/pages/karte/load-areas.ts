import { say } from '../../format/language.ts';
import type { Boundaries } from '../../map/boundaries.ts';
import { loadBoundaries } from '../../map/boundaries.ts';
import { KEY_DIGITS, type MapLevel } from '../../map/level.ts';
import { unitQuery } from '../../regions/region.ts';
import type { Aggregation, Group, PlaceList } from '../../v1/answers.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import type { Loading } from '../../v1/use-answer.ts';
import type { Scope } from './scope.ts';

/** The question of a map. */
export interface AreaQuestion {
  readonly filters: Query;
  /** Selects the units of which the others are a share; null = no share is asked for. */
  readonly whole: Query | null;
  /** Days of which the stock is asked for; none = the units as they are today. */
  readonly days: readonly string[];
}

/** Boundaries and figures of a map. */
export interface AreaData {
  readonly boundaries: Boundaries;
  readonly groups: readonly Group[];
  /** The same of the units of which these are a share. */
  readonly wholes: readonly Group[] | null;
  /** The days whose stock the groups have. */
  readonly days: readonly string[];
  /** True: there are more places than the interface names at once, and only the largest thousand are here. */
  readonly isPartial: boolean;
  /** The official list of places by which figures are divided. */
  readonly list: PlaceList | null;
  /** Keys of all places that have any unit; null = not known. */
  readonly known: ReadonlySet<string> | null;
}

const areaRequest = ({ level, region }: Scope, filters: Query, bestandAm: readonly string[] = []): ApiRequest => ({
  path: '/v1/aggregations',
  query: { groupBy: level, ...unitQuery(region), ...filters, bestandAm },
});

/** The requests behind a map. */
export const areaRequests = (scope: Scope, { filters, whole, days }: AreaQuestion): readonly ApiRequest[] => [
  areaRequest(scope, filters, days),
  ...(whole === null ? [] : [areaRequest(scope, whole, days)]),
];

/** @param isComplete asks district by district where one answer does not name all municipalities */
export async function loadAreas(
  scope: Scope,
  { filters, whole, days }: AreaQuestion,
  isComplete: boolean,
  loading: Loading,
): Promise<AreaData> {
  const [boundaries, part, wholes] = await Promise.all([
    loadBoundaries(scope.level),
    loading.ask<Aggregation>(areaRequest(scope, filters, days)),
    whole === null ? null : loading.ask<Aggregation>(areaRequest(scope, whole, days)),
  ]);
  const answers = [part, ...(wholes === null ? [] : [wholes])];
  const list = part.meta.bezug ?? null;
  const isCut = answers.some(({ meta }) => meta.truncated);
  const common = { boundaries, days, list };
  if (isCut && isComplete) {
    const all = await everyDistrict(boundaries, scope, [filters, ...(whole === null ? [] : [whole])], days, loading);
    const [groups, others = null] = answers.map(({ data }, index) => completed(all[index] ?? [], data.groups));
    return { ...common, groups: groups ?? [], wholes: others, isPartial: false, known: null };
  }
  const known = scope.level === 'gemeinde' && !isCut ? await knownKeys(scope, loading) : null;
  return { ...common, groups: part.data.groups, wholes: wholes?.data.groups ?? null, isPartial: isCut, known };
}

/** Places without a key, or of another district than the map knows, are only in the answer for the whole state. */
function completed(all: readonly Group[], groups: readonly Group[]): readonly Group[] {
  const named = new Set(all.map(({ key }) => key));
  return [...all, ...groups.filter(({ key }) => !named.has(key))];
}

/** Asks each question for each district. @returns the groups of each question */
async function everyDistrict(
  { areas }: Boundaries,
  { prefix }: Scope,
  questions: readonly Query[],
  days: readonly string[],
  loading: Loading,
): Promise<readonly (readonly Group[])[]> {
  const districts = [...new Set(areas.map(({ key }) => key.slice(0, KEY_DIGITS.landkreis)))].filter((key) =>
    key.startsWith(prefix),
  );
  let done = 0;
  const of = districts.length * questions.length;
  loading.progress({ done, of });
  return Promise.all(
    questions.map(async (filters) => {
      const answers = await Promise.all(
        districts.map(async (value) => {
          const scope: Scope = { level: 'gemeinde', region: { level: 'landkreis', value }, prefix: value };
          const answer = await loading.ask<Aggregation>(areaRequest(scope, filters, days));
          done += 1;
          loading.progress({ done, of });
          return answer.data.groups;
        }),
      );
      return answers.flat();
    }),
  );
}

/** A municipality that was merged into another is still on the map, but no unit has its key any more. */
async function knownKeys(scope: Scope, loading: Loading): Promise<ReadonlySet<string> | null> {
  const { data, meta } = await loading.ask<Aggregation>(areaRequest(scope, {}));
  return meta.truncated ? null : new Set(data.groups.map(({ schluessel }) => schluessel ?? ''));
}

/** In the dative: „nach Landkreisen“, “by district”. */
export const LEVEL_NOUNS: Readonly<Record<MapLevel, string>> = {
  bundesland: say('Bundesländern', 'state'),
  landkreis: say('Landkreisen und kreisfreien Städten', 'district'),
  gemeinde: say('Gemeinden', 'municipality'),
};
