import { regionText } from '../../regions/region.ts';
import type { ListAddress } from './list-address.ts';

/** The map chooses these by itself. */
const CHOSEN_THERE: readonly string[] = ['einheitTyp', 'bundesland', 'landkreis', 'gemeinde'];

/**
 * The choices of the map that show where the units of a list are; null = it cannot, as those of a saved filter or of several places.
 */
export function mapChoicesOf({
  values,
  own,
  region,
  savedFilterId,
  eventId,
}: ListAddress): Readonly<Record<string, string | null>> | null {
  const place = region?.level === 'plz' ? null : region;
  const isElsewhere = place === null && CHOSEN_THERE.some((name) => name !== 'einheitTyp' && values.has(name));
  // District and municipality are known to the map by their keys alone.
  const isNamed = place !== null && place.level !== 'bundesland' && !/^\d+$/.test(place.value);
  if (savedFilterId !== null || eventId !== null || isElsewhere || isNamed) return null;
  return {
    ...Object.fromEntries([...values].filter(([name]) => !CHOSEN_THERE.includes(name))),
    ...Object.fromEntries(own),
    portfolio: own.has('portfolio') ? 'true' : null,
    traeger: values.get('einheitTyp') ?? null,
    region: place === null ? null : regionText(place),
  };
}
