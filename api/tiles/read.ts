import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import { areaOfCell, inTile, type Tile } from '../../sql/query/tile-grid.ts';
import {
  type TileCell,
  type TileRequest,
  type TileUnit,
  tileCellRow,
  tileCellsStatement,
  tileUnitRow,
  tileUnitsStatement,
} from '../../sql/query/tiles.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { unitsByNumber } from '../units/read.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { isLargerThanTaken } from '../wire/areas.ts';
import type { TileFeature } from './encode.ts';

/** A tile has units one by one, and groups of those that would be too many. */

/** Most units that come one by one. */
export const MOST_UNITS = 1000;

interface TileLayers {
  readonly einheiten: readonly TileFeature[];
  readonly gruppen: readonly TileFeature[];
}

/**
 * Reads a tile. Where it has too many units, those at the points of municipalities are groups, of which every small place has
 * hundreds; where those with coordinates alone are too many, all units are.
 */
export async function readTile(version: Dataset, request: TileRequest): Promise<TileLayers> {
  const cells = await version.query(tileCellRow, tileCellsStatement(request, version.dialects));
  const own = cells.filter(({ ausGemeinde }) => !ausGemeinde);
  const [all, located] = [unitsIn(cells), unitsIn(own)];
  if (all === 0) return { einheiten: [], gruppen: [] };
  if (located > MOST_UNITS) return { einheiten: [], gruppen: groupsOf(cells, request.tile) };
  const only = all > MOST_UNITS ? 'located' : null;
  const statement = tileUnitsStatement(request, { only, limit: MOST_UNITS }, version.dialects);
  const units = all > MOST_UNITS && located === 0 ? [] : await version.query(tileUnitRow, statement);
  return {
    einheiten: await singleUnits(units, request, version),
    gruppen:
      only === null
        ? []
        : groupsOf(
            cells.filter(({ ausGemeinde }) => ausGemeinde),
            request.tile,
          ),
  };
}

const unitsIn = (cells: readonly TileCell[]): number => cells.reduce((sum, { anzahl }) => sum + anzahl, 0);

const FIELDS = ['mastrNummer', 'name', 'einheitTyp', 'betriebsStatus', 'bruttoleistungKw'].map(fieldNamed);

/** The units in the order of their numbers. */
async function singleUnits(
  found: readonly TileUnit[],
  { tile, today }: TileRequest,
  version: Dataset,
): Promise<TileFeature[]> {
  const units = new Map(
    found.toSorted((one, other) => one.digits - other.digits).map((unit) => [unitNumberOf(unit.digits), unit]),
  );
  const rows = await unitsByNumber(version, [...units.keys()], FIELDS, today);
  return rows.flatMap(({ mastrNummer, ...row }) => {
    const unit = units.get(String(mastrNummer));
    if (unit === undefined) return [];
    const { digits, laenge, breite, ausGemeinde } = unit;
    const known = Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [],
    );
    return {
      id: digits,
      point: inTile(tile, { longitude: laenge, latitude: breite }),
      properties: { mastrNummer: String(mastrNummer), ...Object.fromEntries(known), ortAusGemeinde: ausGemeinde },
    };
  });
}

/** A group for each cell, at the middle of its units. */
function groupsOf(cells: readonly TileCell[], tile: Tile): TileFeature[] {
  const groups = Map.groupBy(cells, ({ zelle }) => zelle);
  return [...groups]
    .sort(([one], [other]) => one - other)
    .map(([cell, parts]) => {
      const sum = (of: (part: TileCell) => number): number => parts.reduce((total, part) => total + of(part), 0);
      const anzahl = sum((part) => part.anzahl);
      const middle = {
        longitude: sum(({ laenge }) => laenge) / anzahl,
        latitude: sum(({ breite }) => breite) / anzahl,
      };
      const area = areaOfCell(tile, cell);
      const { west, south, east, north } = area;
      return {
        point: inTile(tile, middle),
        properties: {
          anzahl,
          bruttoleistungKw: Math.round(sum(({ kw }) => kw) * 1000) / 1000,
          einheitTyp: mainCarrier(parts),
          anGemeindepunkt: unitsIn(parts.filter(({ ausGemeinde }) => ausGemeinde)),
          ...(isLargerThanTaken(area) ? {} : { bbox: [west, south, east, north].join() }),
        },
      };
    });
}

/** The carrier of most capacity; of equal ones the one of most units, then the first by name. */
function mainCarrier(parts: readonly TileCell[]): string {
  const carriers = [...Map.groupBy(parts, ({ traeger }) => traeger)].map(([name, own]) => ({
    name,
    kw: own.reduce((sum, { kw }) => sum + kw, 0),
    units: unitsIn(own),
  }));
  const [first] = carriers.sort(
    (one, other) => other.kw - one.kw || other.units - one.units || (one.name < other.name ? -1 : 1),
  );
  return first?.name ?? '';
}
