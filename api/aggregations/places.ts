import pLimit from 'p-limit';
import { entryOf } from '../../runtime/present.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { stateName } from '../../sql/register/states.ts';
import { violated } from '../problem/problem.ts';
import { conditionOn } from '../units/filters.ts';
import type { Counted } from './group.ts';
import { MAX_PAIRS } from './pairs.ts';

/** Aggregations of several places: groups of each, in one set of rows. */

/** Places that are counted at a time: others want their turn, too. */
const AT_ONCE = 4;

/** The condition that a unit lies in one of these places of a level. */
export const inPlaces = (ebene: string, regions: readonly string[]): Condition =>
  conditionOn(entryOf(UNIT_FILTERS, ebene), ebene === 'bundesland' ? regions.map(stateName) : regions);

/**
 * Reads the groups of each place; each of them, and each sub-total, names its place.
 * @param read counts the units in places of the level
 * @param all the units in any of them, each once
 * @throws Problem TOO_MANY_GROUPS
 */
export async function countedInPlaces(
  regions: readonly string[],
  read: (regions: readonly string[]) => Promise<Counted>,
  all: Promise<Counted>,
): Promise<Counted> {
  const limit = pLimit(AT_ONCE);
  const [{ totals, list }, ...found] = await Promise.all([
    all,
    ...regions.map((region) => limit(async () => ({ region, ...(await read([region])) }))),
  ]);
  const inOrder = <Row extends object>(rowsOf: (one: Counted) => readonly Row[]) =>
    found.flatMap((one) => rowsOf(one).map((row) => ({ region: one.region, ...row })));
  const groups = inOrder((one) => one.groups);
  if (groups.length > MAX_PAIRS) {
    const detail = `The places have ${groups.length.toLocaleString('en')} groups; one answer has at most ${MAX_PAIRS.toLocaleString('en')}. Ask for fewer places at once`;
    throw violated([{ parameter: 'region', code: 'TOO_MANY_GROUPS', detail }]);
  }
  const erste = inOrder(({ teilsummen }) => teilsummen?.erste ?? []);
  const zweite = inOrder(({ teilsummen }) => teilsummen?.zweite ?? []);
  return {
    groups,
    ...(found.every(({ teilsummen }) => teilsummen === undefined) ? {} : { teilsummen: { erste, zweite } }),
    orte: found.map((one) => ({ region: one.region, totals: one.totals })),
    totals,
    truncated: found.some(({ truncated }) => truncated),
    list,
  };
}
