import type { Loaded } from '../v1/loaded.ts';
import { useLoad } from '../v1/use-answer.ts';
import { type Boundaries, loadBoundaries } from './boundaries.ts';
import type { MapLevel } from './level.ts';

/** Loads the boundaries of levels. @param levels all that a map needs at once */
export function useBoundaries(levels: readonly MapLevel[]): Loaded<ReadonlyMap<MapLevel, Boundaries>> {
  return useLoad(`boundaries ${levels.join(' ')}`, async () => {
    const all = await Promise.all(levels.map(loadBoundaries));
    return new Map(all.map((boundaries) => [boundaries.level, boundaries]));
  });
}
