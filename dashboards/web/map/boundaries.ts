import { geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { MultiPolygon, Topology } from 'topojson-specification';
import { say } from '../format/language.ts';
import { fileOf } from './files.ts';
import type { MapLevel } from './level.ts';
import { type Point, projection } from './projection.ts';
import type { Box } from './view.ts';

/** States, districts and municipalities as they are drawn. */

/** An area, ready to be drawn in the plane of the map. */
export interface Area {
  readonly key: string;
  /** As the source has it: `Rosenheim`. */
  readonly name: string;
  /** The name, and what tells districts of one name apart: `Rosenheim (kreisfreie Stadt)`. */
  readonly label: string;
  /** Outline as an SVG path. */
  readonly path: string;
  readonly box: Box;
  /** A point in the middle of the area. */
  readonly middle: Point;
}

export interface Boundaries {
  readonly level: MapLevel;
  readonly areas: readonly Area[];
  readonly byKey: ReadonlyMap<string, Area>;
  /** The sentence that the licence wants beside every map. */
  readonly attribution: string;
  /** The day whose borders are drawn. */
  readonly asOf: string;
  /** Lines between areas whose keys differ in their first digits, and around all of them, as an SVG path. */
  outline(prefix: string, digits: number): string;
}

interface Properties {
  readonly name: string;
  readonly art?: string;
}
interface Level {
  readonly type: 'GeometryCollection';
  geometries: MultiPolygon<Properties>[];
}
type File = Topology<Record<string, Level>> & {
  readonly herkunft: { readonly quellenvermerk: string; readonly gebietsstand: string };
};

/** Decimals of a path, in kilometres: finer than the grid of the files. */
const DIGITS = 2;

const loaded = new Map<MapLevel, Promise<Boundaries>>();

/** The boundaries of a level; they are fetched once. @throws Error when they cannot be loaded */
export function loadBoundaries(level: MapLevel): Promise<Boundaries> {
  const known = loaded.get(level);
  if (known !== undefined) return known;
  const loading = fetchBoundaries(level);
  loaded.set(level, loading);
  // The next one who asks tries again after a failure.
  loading.catch(() => loaded.delete(level));
  return loading;
}

async function fetchBoundaries(level: MapLevel): Promise<Boundaries> {
  const response = await fetch(fileOf(level));
  if (!response.ok)
    throw new Error(
      say(
        `Die Grenzen konnten nicht geladen werden (Status ${response.status}).`,
        `The boundaries could not be loaded (status ${response.status}).`,
      ),
    );
  return boundariesOf(level, (await response.json()) as File);
}

function boundariesOf(level: MapLevel, file: File): Boundaries {
  const [object] = Object.values(file.objects);
  if (object === undefined)
    throw new Error(say('Die Datei der Grenzen ist leer.', 'The file of the boundaries is empty.'));
  const path = geoPath(projection).digits(DIGITS);
  const names = Map.groupBy(object.geometries, ({ properties }) => properties?.name);
  const labelOf = ({ name, art }: Properties): string =>
    art === undefined || names.get(name)?.length === 1
      ? name
      : `${name} (${say(art.replace(/^Kreisfreie/, 'kreisfreie'), /stadt/i.test(art) ? 'independent town' : 'district')})`;
  // A path of thousands of areas takes a while: each is made when it is first drawn.
  const areas = object.geometries.map((geometry): Area => {
    const shape = feature(file, geometry);
    const { name } = shape.properties;
    const lazy = <T>(make: () => T): (() => T) => {
      let made: T | undefined;
      return () => (made ??= make());
    };
    const outline = lazy(() => path(shape) ?? '');
    const box = lazy((): Box => {
      const [[left, top], [right, bottom]] = path.bounds(shape);
      return { left, top, right, bottom };
    });
    const middle = lazy((): Point => path.centroid(shape));
    return {
      key: String(geometry.id),
      name,
      label: labelOf(shape.properties),
      get path() {
        return outline();
      },
      get box() {
        return box();
      },
      get middle() {
        return middle();
      },
    };
  });
  const outlines = new Map<string, string>();
  return {
    level,
    areas,
    byKey: new Map(areas.map((area) => [area.key, area])),
    attribution: say(
      file.herkunft.quellenvermerk,
      file.herkunft.quellenvermerk.replace(/\(.*\)/, '(data changed: simplified, districts as of today)'),
    ),
    asOf: file.herkunft.gebietsstand,
    outline(prefix, digits) {
      const id = `${prefix} ${digits}`;
      const known = outlines.get(id);
      if (known !== undefined) return known;
      const within: Level = {
        type: 'GeometryCollection',
        geometries: object.geometries.filter((geometry) => String(geometry.id).startsWith(prefix)),
      };
      const part = (geometry: { readonly id?: string | number | undefined }): string =>
        String(geometry.id).slice(0, digits);
      const lines = mesh(file, within, (a, b) => a === b || part(a) !== part(b));
      const drawn = path(lines) ?? '';
      outlines.set(id, drawn);
      return drawn;
    },
  };
}
