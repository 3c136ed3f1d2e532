/** Levels of areas that a map can show. */
export type MapLevel = 'bundesland' | 'landkreis' | 'gemeinde';

/** Digits of the official key of each level: the key of an area begins with those of the areas that it lies in. */
export const KEY_DIGITS: Readonly<Record<MapLevel, number>> = { bundesland: 2, landkreis: 5, gemeinde: 8 };
