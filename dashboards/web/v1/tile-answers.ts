import { VectorTile, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

/** What tiles of units have (GET /v1/tiles/{z}/{x}/{y}.mvt). */

export const VECTOR_TILE = 'application/vnd.mapbox-vector-tile';

interface Placed {
  readonly longitude: number;
  readonly latitude: number;
  readonly einheitTyp: string;
  readonly bruttoleistungKw: number | null;
}

export interface TileUnit extends Placed {
  readonly mastrNummer: string;
  readonly name: string | null;
  readonly betriebsStatus: string | null;
  /** True: it stands at the point of its municipality. */
  readonly ortAusGemeinde: boolean;
}

export interface TileGroup extends Placed {
  readonly anzahl: number;
  readonly anGemeindepunkt: number;
  /** Degrees: west, south, east, north. */
  readonly bbox: readonly [number, number, number, number];
}

export interface TileContent {
  readonly units: readonly TileUnit[];
  readonly groups: readonly TileGroup[];
}

/** @param tile the place of the tile */
export function readTile(
  bytes: Uint8Array,
  { z, x, y }: { readonly z: number; readonly x: number; readonly y: number },
): TileContent {
  const { layers } = new VectorTile(new PbfReader(bytes));
  const points = (layer: VectorTileLayer | undefined) =>
    Array.from({ length: layer?.length ?? 0 }, (_, index) => {
      const { properties, geometry } = (layer as VectorTileLayer).feature(index).toGeoJSON(x, y, z);
      const [longitude = 0, latitude = 0] = geometry.type === 'Point' ? geometry.coordinates : [];
      const own: Readonly<Record<string, unknown>> = properties ?? {};
      const power = own.bruttoleistungKw;
      const bruttoleistungKw = typeof power === 'number' ? power : null;
      return { own, placed: { longitude, latitude, einheitTyp: String(own.einheitTyp), bruttoleistungKw } };
    });
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    units: points(layers.einheiten).map(({ own, placed }) => ({
      ...placed,
      mastrNummer: String(own.mastrNummer),
      name: text(own.name),
      betriebsStatus: text(own.betriebsStatus),
      ortAusGemeinde: own.ortAusGemeinde === true,
    })),
    groups: points(layers.gruppen).map(({ own, placed }) => {
      const [west = 0, south = 0, east = 0, north = 0] = String(own.bbox).split(',').map(Number);
      const [anzahl, anGemeindepunkt] = [Number(own.anzahl), Number(own.anGemeindepunkt)];
      return { ...placed, anzahl, anGemeindepunkt, bbox: [west, south, east, north] };
    }),
  };
}
