import { say } from '../format/language.ts';
import type { ReferenceValue, ReferenceValues } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import { type Loading, useLoad } from '../v1/use-answer.ts';
import { districtName } from './find-places.ts';
import { districtKind, keyOfOnlyPart } from './hits.ts';
import { isKeyed, type Level, type Region, type RegionOrCountry, regionText } from './region.ts';

const COUNTRY = say('Deutschland', 'Germany');

/** The name of a region for people; its key as long as the name is not known. */
export const useRegionName = (region: RegionOrCountry): string => useRegionNames([region])[0] ?? COUNTRY;

/** The names of several regions, in their order. */
export function useRegionNames(regions: readonly RegionOrCountry[]): readonly string[] {
  const named = regions.filter((region) => region !== null).filter(({ level }) => level !== 'plz');
  const isAsked = named.some(isKeyed);
  const loaded = useLoad(isAsked ? named.map(regionText).join(',') : null, ({ ask }) => namesOf(named, ask));
  return regions.map((region) => {
    if (region === null) return COUNTRY;
    if (region.level === 'plz')
      return region.value.length === 5
        ? say(`PLZ ${region.value}`, `postal code ${region.value}`)
        : say(`PLZ ${region.value}…`, `postal code ${region.value}…`);
    return shown(loaded)?.get(regionText(region)) ?? region.value;
  });
}

/** The name of each place; where two would be called the same, what they are stands behind it: „Ludwigsburg (Landkreis)“. */
async function namesOf(places: readonly Region[], ask: Loading['ask']): Promise<ReadonlyMap<string, string>> {
  // Other names say themselves what they are.
  const names = await Promise.all(places.map((place) => (isKeyed(place) ? nameOf(place, ask) : place.value)));
  const isShared = (name: string): boolean => names.filter((one) => one === name).length > 1;
  const full = await Promise.all(
    places.map(async (place, index) => {
      const name = names[index] ?? place.value;
      return isShared(name) ? `${name} (${await kindOf(place, ask)})` : name;
    }),
  );
  return new Map(places.map((place, index) => [regionText(place), full[index] ?? place.value]));
}

async function kindOf({ level, value: key }: Region, ask: Loading['ask']): Promise<string> {
  if (level === 'bundesland') return say('Land', 'state');
  if (level === 'gemeinde') return say('Gemeinde', 'municipality');
  const town = await placeAt('gemeinde', keyOfOnlyPart(key), ask);
  return districtKind(town !== undefined, (await placeAt('landkreis', key, ask))?.bundesland);
}

/** The place of a key. */
async function placeAt(level: Level, q: string, ask: Loading['ask']): Promise<ReferenceValue | undefined> {
  const { data } = await ask<ReferenceValues>({ path: `/v1/reference/${level}`, query: { q, limit: 5 } });
  return data.find(({ schluessel }) => schluessel === q);
}

/**
 * The shortest name that means this place alone: „Hof (Landkreis)“ where the town beside it has the same name, and the district
 * of a municipality whose name its state has twice.
 */
async function nameOf({ level, value: key }: Region, ask: Loading['ask']): Promise<string> {
  const place = await placeAt(level, key, ask);
  if (place === undefined) return key;
  if (place.value !== key || place.name == null) return place.value;
  if (level === 'gemeinde') return `${place.name} (${(await districtName(key.slice(0, 5), ask)) ?? key})`;
  const town = await placeAt('gemeinde', keyOfOnlyPart(key), ask);
  return `${place.name} (${districtKind(town !== undefined, place.bundesland)})`;
}
