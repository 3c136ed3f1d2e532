import { readFileSync } from 'node:fs';

/** A point of each municipality of the product's map, at which units without published coordinates are counted (data/places/points.ts). */
export interface MunicipalityPoint {
  /** Official key of today. */
  readonly key: string;
  readonly longitude: number;
  readonly latitude: number;
}

const FILE = new URL('../../data/reference/places/punkte.csv', import.meta.url);

let known: readonly MunicipalityPoint[] | null = null;

/** Some ten thousand, which are read once. */
export function municipalityPoints(): readonly MunicipalityPoint[] {
  known ??= readFileSync(FILE, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [key = '', longitude, latitude] = line.split(',');
      return { key, longitude: Number(longitude), latitude: Number(latitude) };
    });
  return known;
}
