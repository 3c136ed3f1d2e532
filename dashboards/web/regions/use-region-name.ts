import { say } from '../format/language.ts';
import type { ReferenceValues } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import { type Loading, useLoad } from '../v1/use-answer.ts';
import { districtName } from './find-places.ts';
import { districtKind, keyOfOnlyPart } from './hits.ts';
import { isKeyed, type Region, type RegionOrCountry, regionText } from './region.ts';

const COUNTRY = say('Deutschland', 'Germany');

/** The name of a region for people; its key as long as the name is not known. */
export const useRegionName = (region: RegionOrCountry): string => useRegionNames([region])[0] ?? COUNTRY;

/** The names of several regions, in their order. */
export function useRegionNames(regions: readonly RegionOrCountry[]): readonly string[] {
  // Names and postal codes say themselves what they are.
  const keyed = regions.filter((region) => region !== null).filter(isKeyed);
  const loaded = useLoad(keyed.length === 0 ? null : keyed.map(regionText).join(','), async ({ ask }) => {
    const names = await Promise.all(keyed.map((region) => nameOf(region, ask)));
    return new Map(keyed.map((region, index) => [regionText(region), names[index] ?? region.value]));
  });
  return regions.map((region) => {
    if (region === null) return COUNTRY;
    if (region.level === 'plz')
      return region.value.length === 5
        ? say(`PLZ ${region.value}`, `postal code ${region.value}`)
        : say(`PLZ ${region.value}…`, `postal code ${region.value}…`);
    return shown(loaded)?.get(regionText(region)) ?? region.value;
  });
}

/**
 * The shortest name that means this place alone: „Hof (Landkreis)“ where the town beside it has the same name, and the district
 * of a municipality whose name its state has twice.
 */
async function nameOf({ level, value: key }: Region, ask: Loading['ask']): Promise<string> {
  const at = async (path: string, q: string) => {
    const { data } = await ask<ReferenceValues>({ path, query: { q, limit: 5 } });
    return data.find(({ schluessel }) => schluessel === q);
  };
  const place = await at(`/v1/reference/${level}`, key);
  if (place === undefined) return key;
  if (place.value !== key || place.name == null) return place.value;
  if (level === 'gemeinde') return `${place.name} (${(await districtName(key.slice(0, 5), ask)) ?? key})`;
  const town = await at('/v1/reference/gemeinde', keyOfOnlyPart(key));
  return `${place.name} (${districtKind(town !== undefined, place.bundesland)})`;
}
