import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { geoArea } from 'd3-geo';
import type { Feature, MultiPolygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { describe, expect, it } from 'vitest';
import { polygonArea, signedArea } from '../../data/boundaries/area.ts';
import { readKeyChanges } from '../../data/boundaries/key-changes.ts';
import { LEVELS, type Level } from '../../data/boundaries/levels.ts';
import { digestOfInputs, type Provenance } from '../../data/boundaries/provenance.ts';

/** The committed boundaries. Making them anew takes too long for the suite: `npm run data -- boundaries`. */

interface Properties {
  readonly name: string;
  readonly art?: string;
  readonly flaecheKm2: number;
}
type AreaFeature = Feature<MultiPolygon, Properties>;
type File = Topology<Record<string, GeometryCollection<Properties>>> & { readonly herkunft: Provenance };

const REFERENCE = new URL('../../data/reference/', import.meta.url);
const LEVEL_NAMES = Object.keys(LEVELS) as Level[];

const bytesOf = (level: Level): Buffer => readFileSync(new URL(`boundaries/${level}.json`, REFERENCE));
const fileOf = new Map(LEVEL_NAMES.map((level) => [level, JSON.parse(bytesOf(level).toString()) as File]));
const featuresOf = new Map(
  LEVEL_NAMES.map((level) => {
    const file = fileOf.get(level)!;
    return [level, feature(file, file.objects[level]!).features as AreaFeature[]];
  }),
);
const keysOf = (level: Level): string[] => featuresOf.get(level)!.map(({ id }) => `${id}`);
const surfaceOf = (level: Level, prefix = ''): number =>
  featuresOf
    .get(level)!
    .filter(({ id }) => `${id}`.startsWith(prefix))
    .reduce((sum, { properties }) => sum + properties.flaecheKm2, 0);

/** Rows of a degree: a rectangle on the ellipsoid, whose area is known from tables. */
const DEGREE_AT_50 = [
  [10, 50],
  [11, 50],
  [11, 51],
  [10, 51],
  [10, 50],
];

describe('area of a ring', () => {
  it('is that of the ellipsoid', () => {
    // Mean of the lengths of a degree (70.94 km at 50.5° north, 111.24 km along the meridian).
    expect(polygonArea([DEGREE_AT_50])).toBeCloseTo(7_892, -1);
  });

  it('has the sign of its direction, and holes are left out', () => {
    expect(signedArea(DEGREE_AT_50)).toBeGreaterThan(0);
    expect(signedArea(DEGREE_AT_50.toReversed())).toBe(-signedArea(DEGREE_AT_50));
    expect(polygonArea([DEGREE_AT_50, DEGREE_AT_50.toReversed()])).toBe(0);
  });
});

describe.each(LEVEL_NAMES)('boundaries of %s', (level) => {
  const features = featuresOf.get(level)!;

  it('were made from the package, the changes of keys and the detail that are there now', () => {
    expect(fileOf.get(level)!.herkunft.pruefsumme, 'run `npm run data -- boundaries`').toBe(digestOfInputs());
  });

  it('carry the sentence that the licence wants, and the day that they show', () => {
    const { quellenvermerk, lizenz, gebietsstand } = fileOf.get(level)!.herkunft;
    expect(quellenvermerk).toMatch(/^© GeoBasis-DE \/ BKG 2016 \(Daten verändert/);
    expect(lizenz.url).toMatch(/^https:/);
    expect(gebietsstand).toBe('2016-01-01');
  });

  it('have each official key once, in order, with a name', () => {
    const keys = keysOf(level);
    expect(keys).toEqual([...new Set(keys)].sort());
    for (const key of keys) expect(key).toMatch(new RegExp(`^\\d{${LEVELS[level].digits}}$`));
    expect(features.filter(({ properties }) => properties.name === '')).toEqual([]);
  });

  it('show every area, with the shape it had', () => {
    for (const { id, geometry, properties } of features) {
      const shown = geometry.coordinates.reduce((sum, rings) => sum + polygonArea(rings), 0);
      expect(shown / properties.flaecheKm2, `${id} ${properties.name}`).toBeGreaterThan(0.75);
      expect(shown / properties.flaecheKm2, `${id} ${properties.name}`).toBeLessThan(1.25);
    }
  });

  it('have closed rings, wound as d3-geo expects: an area is no rest of the globe', () => {
    for (const { id, geometry } of features)
      for (const [exterior = [], ...holes] of geometry.coordinates) {
        expect(exterior.length, `${id}`).toBeGreaterThanOrEqual(4);
        expect(exterior[0], `${id}`).toEqual(exterior.at(-1));
        expect(signedArea(exterior), `${id}`).toBeLessThan(0);
        for (const hole of holes) expect(signedArea(hole), `${id}`).toBeGreaterThan(0);
      }
    expect(Math.max(...features.map((area) => geoArea(area)))).toBeLessThan(0.01);
  });

  it('use every arc', () => {
    const { arcs, objects } = fileOf.get(level)!;
    const used = new Set(
      objects[level]!.geometries.flatMap((geometry) =>
        'arcs' in geometry ? (geometry.arcs.flat(3) as number[]) : [],
      ).map((index) => (index < 0 ? ~index : index)),
    );
    expect(used.size).toBe(arcs.length);
  });

  it('cover the land of Germany', () => {
    // 357,386 km² with all waters.
    expect(surfaceOf(level)).toBeGreaterThan(357_100);
    expect(surfaceOf(level)).toBeLessThan(357_400);
  });
});

describe('boundaries', () => {
  it('have 16 states, 400 districts, and municipalities of each district', () => {
    expect(keysOf('bundeslaender')).toHaveLength(16);
    expect(keysOf('landkreise')).toHaveLength(400);
    expect(keysOf('gemeinden').length).toBeGreaterThan(11_000);
    expect([...new Set(keysOf('gemeinden').map((key) => key.slice(0, 5)))]).toEqual(keysOf('landkreise'));
    expect([...new Set(keysOf('landkreise').map((key) => key.slice(0, 2)))]).toEqual(keysOf('bundeslaender'));
  });

  it.each([
    ['Bayern', '09', 70_542],
    ['Saarland', '10', 2_570],
    ['Thüringen', '16', 16_202],
    ['Nordrhein-Westfalen', '05', 34_112],
    ['Berlin', '11', 891],
  ])('of %s enclose the area that the state itself names, within 0.2 %%', (_, key, km2) => {
    for (const level of LEVEL_NAMES) expect(Math.abs(surfaceOf(level, key) / km2 - 1)).toBeLessThan(0.002);
  });

  it('of states have no gaps: only Bremen and Berlin lie inside of another', () => {
    const holes = featuresOf
      .get('bundeslaender')!
      .flatMap(({ properties: { name }, geometry }) =>
        geometry.coordinates.flatMap(([, ...inside]) => inside.map((hole) => [name, Math.round(polygonArea([hole]))])),
      );
    expect(holes).toEqual([
      ['Niedersachsen', expect.closeTo(318, -1)],
      ['Brandenburg', expect.closeTo(892, -1)],
    ]);
    const bayern = featuresOf.get('bundeslaender')!.find(({ id }) => id === '09')!;
    expect(bayern.geometry.coordinates).toHaveLength(1);
  });

  it('tell districts of one name apart', () => {
    const rosenheim = featuresOf.get('landkreise')!.filter(({ properties }) => properties.name === 'Rosenheim');
    expect(rosenheim.map(({ id, properties }) => [id, properties.art])).toEqual([
      ['09163', 'Kreisfreie Stadt'],
      ['09187', 'Landkreis'],
    ]);
  });

  it('bear the keys of today where districts were merged', () => {
    const changes = readKeyChanges();
    const [gone, now] = [new Set(changes.map(({ from }) => from)), new Set(changes.map(({ to }) => to))];
    expect(keysOf('gemeinden').filter((key) => gone.has(key))).toEqual([]);
    expect([...now].filter((key) => !keysOf('gemeinden').includes(key))).toEqual([]);
    expect(keysOf('landkreise').filter((key) => ['03152', '03156', '16056'].includes(key))).toEqual([]);
    // Göttingen and Osterode together.
    expect(surfaceOf('landkreise', '03159')).toBeCloseTo(1_755, 0);
  });

  it('are small on the wire: states and districts below 150 kB, municipalities below 900 kB', () => {
    const sizeOf = (level: Level): number =>
      brotliCompressSync(bytesOf(level), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
    expect(sizeOf('bundeslaender') + sizeOf('landkreise')).toBeLessThan(150_000);
    expect(sizeOf('gemeinden')).toBeLessThan(900_000);
  });

  it('know every district of the register, and all but these of its municipalities, which are younger', () => {
    const rows = parse(readFileSync(new URL('regions.csv', REFERENCE)), { columns: true }) as Record<string, string>[];
    const known = new Map(rows.map(({ key = '', municipality }) => [key, municipality]));
    known.delete('');
    const unknownOf = (level: Level): string[] => {
      const keys = new Set(keysOf(level));
      return [...known.keys()].filter((key) => !keys.has(key.slice(0, LEVELS[level].digits)));
    };
    expect(unknownOf('bundeslaender')).toEqual([]);
    // Eisenach until 2021: the register still has units of that key.
    expect(unknownOf('landkreise')).toEqual(['16056000']);
    expect(unknownOf('gemeinden').map((key) => `${key} ${known.get(key)}`)).toMatchInlineSnapshot(`
      [
        "03154028 Helmstedt",
        "03251049 Bruchhausen-Vilsen",
        "03254041 Duingen",
        "03254042 Freden (Leine)",
        "03358024 Walsrode",
        "06437016 Oberzent",
        "07232502 Brimingen",
        "13074094 Siemz-Niendorf",
        "13076168 Ruhner Berge",
        "16056000 Eisenach",
        "16061118 Dingelstädt",
        "16062066 Bleicherode",
        "16063103 Werra-Suhl-Tal",
        "16064077 Nottertal-Heilinger Höhen",
        "16065086 Artern",
        "16065087 Roßleben-Wiehe",
        "16067089 Drei Gleichen",
        "16067092 Georgenthal",
        "16070058 Großbreitenbach",
      ]
    `);
  });
});
