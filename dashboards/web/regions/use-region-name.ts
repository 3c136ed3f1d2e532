import type { ReferenceValues } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import type { ApiRequest } from '../v1/request.ts';
import { useAnswer } from '../v1/use-answer.ts';
import type { RegionOrCountry } from './region.ts';

const COUNTRY = 'Deutschland';

/** The name of a region for people; its key as long as the name is not known. */
export function useRegionName(region: RegionOrCountry): string {
  const isKeyed = region?.level === 'landkreis' || region?.level === 'gemeinde';
  const request: ApiRequest | null = isKeyed
    ? { path: `/v1/reference/${region.level}`, query: { q: region.value, limit: 5 } }
    : null;
  const loaded = useAnswer<ReferenceValues>(request);
  if (region === null) return COUNTRY;
  if (region.level === 'bundesland') return region.value;
  if (region.level === 'plz') return region.value.length === 5 ? `PLZ ${region.value}` : `PLZ ${region.value}…`;
  return shown(loaded)?.data.find(({ schluessel }) => schluessel === region.value)?.value ?? region.value;
}
