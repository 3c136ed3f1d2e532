import { carrierColor, carrierName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { count, plural, power, unitCount } from '../../format/numbers.ts';
import type { Mark } from '../../map/point-layer.tsx';
import { pointAt } from '../../map/projection.ts';
import { type Bounds, isWithin, type Seen, tilesOf } from '../../map/seen.ts';
import { around, square } from '../../map/view.ts';
import type { Answer } from '../../v1/client.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import { readTile, type TileContent, type TileGroup, type TileUnit, VECTOR_TILE } from '../../v1/tile-answers.ts';
import type { Loading } from '../../v1/use-answer.ts';

/** The units of what is seen, as tiles have them. */

/** A mark, and the part of the map that it stands for. */
export interface PlacedMark extends Mark {
  readonly bounds: Bounds;
  readonly kilowatts: number;
}

export async function loadTiles(filters: Query, seen: Seen, loading: Loading): Promise<readonly PlacedMark[]> {
  const contents = await Promise.all(
    tilesOf(seen).map(async (tile): Promise<TileContent> => {
      const path = `/v1/tiles/${tile.z}/${tile.x}/${tile.y}.mvt`;
      const { data } = await loading.ask<Answer<Uint8Array>>({ path, query: filters, media: VECTOR_TILE });
      return readTile(data, tile);
    }),
  );
  return contents.flatMap(({ units, groups }) => [...units.map(markOf), ...groups.map(markOfGroup)]);
}

/** Degrees around a single unit: some fifty metres. */
const BESIDE = 0.0005;

const atMunicipality = say('am Punkt der Gemeinde', 'at the point of the municipality');

function markOf(unit: TileUnit): PlacedMark {
  const { mastrNummer, name, einheitTyp, bruttoleistungKw, betriebsStatus, longitude, latitude } = unit;
  const kind = carrierName(einheitTyp);
  const place = unit.ortAusGemeinde ? atMunicipality : null;
  const facts = [kind, power(bruttoleistungKw), betriebsStatus, place];
  return {
    id: mastrNummer,
    point: pointAt(unit),
    kind,
    color: carrierColor(einheitTyp),
    description: { title: name ?? mastrNummer, lines: [facts.filter((fact) => fact !== null).join(' · ')] },
    isElsewhere: unit.ortAusGemeinde,
    bounds: {
      ...{ west: longitude - BESIDE, east: longitude + BESIDE },
      ...{ south: latitude - BESIDE, north: latitude + BESIDE },
    },
    kilowatts: bruttoleistungKw ?? 0,
  };
}

function markOfGroup(group: TileGroup): PlacedMark {
  const { anzahl, anGemeindepunkt, bruttoleistungKw, einheitTyp, bbox } = group;
  const [west, south, east, north] = bbox;
  const kind = carrierName(einheitTyp);
  const corners = [west, east].flatMap((longitude) =>
    [south, north].map((latitude) => square(pointAt({ longitude, latitude }), 0)),
  );
  const point = pointAt(group);
  return {
    id: bbox.join(),
    point,
    kind,
    color: carrierColor(einheitTyp),
    description: {
      title: unitCount(anzahl),
      lines: [
        say(`${power(bruttoleistungKw)}, vor allem ${kind}`, `${power(bruttoleistungKw)}, mostly ${kind}`),
        ...(anGemeindepunkt === 0
          ? []
          : [
              say(
                `${count(anGemeindepunkt)} davon am Punkt der Gemeinde`,
                `${count(anGemeindepunkt)} of them at the point of the municipality`,
              ),
            ]),
      ],
    },
    many: { units: anzahl, elsewhere: anGemeindepunkt, box: around(corners) ?? square(point, 0) },
    bounds: { west, south, east, north },
    kilowatts: bruttoleistungKw ?? 0,
  };
}

/** Those marks that are seen, the largest first: groups by their units, then units by their power. */
export const marksSeen = (marks: readonly PlacedMark[], seen: Seen): readonly PlacedMark[] =>
  marks
    .filter(({ bounds: { west, south, east, north } }) => isWithin(seen, (west + east) / 2, (south + north) / 2))
    .sort((one, other) => (other.many?.units ?? 0) - (one.many?.units ?? 0) || other.kilowatts - one.kilowatts);

/** The part of the map that marks stand for, as the filter `bbox` takes it. */
export function boxOf(marks: readonly PlacedMark[]): string {
  const edge = (pick: (...numbers: number[]) => number, name: keyof Bounds): string =>
    pick(...marks.map(({ bounds }) => bounds[name])).toFixed(6);
  return [edge(Math.min, 'west'), edge(Math.min, 'south'), edge(Math.max, 'east'), edge(Math.max, 'north')].join();
}

/** The units that are seen as a list: all of them, where that is more than the interface takes as a part of the map. */
export function listRequest(filters: Query, { west, south, east, north }: Seen): ApiRequest {
  const isPart = east - west <= 12 && north - south <= 9;
  const bbox = [west, south, east, north].map((degrees) => degrees.toFixed(4)).join();
  return { path: '/v1/units', query: { ...filters, ...(isPart ? { bbox } : {}), sort: 'bruttoleistungKw:desc' } };
}

/** Says in a sentence what is seen; groups at the edge count as a whole or not at all. */
export function aboutPoints(marks: readonly PlacedMark[]): string {
  const sum = (of: (mark: PlacedMark) => number): number => marks.reduce((total, mark) => total + of(mark), 0);
  const units = sum(({ many }) => many?.units ?? 1);
  const grouped = sum(({ many }) => many?.units ?? 0);
  const elsewhere = sum(({ many, isElsewhere }) => many?.elsewhere ?? (isElsewhere === true ? 1 : 0));
  const seen = say(
    `Zu sehen: ${grouped > 0 ? 'etwa ' : ''}${unitCount(units)}${grouped > 0 ? `, ${count(units - grouped)} davon einzeln` : ''}.`,
    `Seen: ${grouped > 0 ? 'about ' : ''}${unitCount(units)}${grouped > 0 ? `, ${count(units - grouped)} of them one by one` : ''}.`,
  );
  if (elsewhere === 0) return seen;
  return say(
    `${seen} ${plural(elsewhere, 'hat', 'haben')} keine veröffentlichten Koordinaten: gezählt am Punkt ihrer Gemeinde.`,
    `${seen} ${plural(elsewhere, 'has', 'have')} no published coordinates: counted at the point of the municipality.`,
  );
}
