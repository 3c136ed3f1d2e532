import { carrierColor, kindName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { count, power } from '../../format/numbers.ts';
import type { Mark } from '../../map/point-layer.tsx';
import { pointAt } from '../../map/projection.ts';
import { allPages, PAGE_SIZE } from '../../v1/all-pages.ts';
import type { Unit, UnitList } from '../../v1/answers.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import type { Loading } from '../../v1/use-answer.ts';

/** The units of a part of the country, or of an event, as points. */
export interface PlacedUnits {
  readonly units: readonly Unit[];
  /** Units with coordinates, those that are no points included. */
  readonly placed: number;
  /** Units that the question is about, with a point or without. */
  readonly all: number;
}

/** More points would cover each other, and take long to load. */
const MOST_POINTS = 2000;

const FIELDS = [
  ...['name', 'einheitTyp', 'energietraeger', 'betriebsStatus', 'bruttoleistungKw', 'ort', 'latitude', 'longitude'],
];

/** The largest first: those remain where the interface ends the list. */
export const unitsRequest = (filters: Query): ApiRequest => ({
  path: '/v1/units',
  query: { ...filters, hatKoordinaten: true, fields: FIELDS, sort: 'bruttoleistungKw:desc', limit: PAGE_SIZE },
});

/** Loads units with coordinates, page by page: the largest, where there are too many. */
export async function loadUnits(filters: Query, loading: Loading): Promise<PlacedUnits> {
  const [{ rows, total }, everything] = await Promise.all([
    allPages<Unit>(loading, unitsRequest(filters), { most: MOST_POINTS }),
    loading.ask<UnitList>({ path: '/v1/units', query: { ...filters, fields: ['name'], limit: 1 } }),
  ]);
  const all = everything.meta.page.total ?? rows.length;
  return { units: rows, placed: total ?? rows.length, all };
}

export function markOf(unit: Unit): Mark | null {
  const { mastrNummer, name, einheitTyp, bruttoleistungKw, betriebsStatus, ort, latitude, longitude } = unit;
  if (latitude === null || longitude === null) return null;
  const kind = kindName(einheitTyp, unit.energietraeger);
  const facts = [kind, power(bruttoleistungKw), betriebsStatus, ort];
  return {
    id: mastrNummer,
    point: pointAt({ latitude, longitude }),
    kind,
    color: carrierColor(einheitTyp),
    description: { title: name ?? mastrNummer, lines: [facts.filter((fact) => fact !== null).join(' · ')] },
  };
}

/** Says in a sentence which units have no point. */
export function aboutPoints({ units, placed, all }: PlacedUnits): string {
  if (placed > units.length) {
    return say(
      `Gezeigt sind die ersten ${count(units.length)} von ${count(placed)} Einheiten mit Koordinaten, die größten zuerst; alle zusammen sind ${count(all)}.`,
      `Shown are the first ${count(units.length)} of ${count(placed)} units with coordinates, the largest first; all together are ${count(all)}.`,
    );
  }
  const without = all - units.length;
  const shown = say(
    `${count(units.length)} von ${count(all)} Einheiten haben hier einen Punkt.`,
    `${count(units.length)} of ${count(all)} units have a point here.`,
  );
  return without === 0
    ? shown
    : say(
        `${shown} Die übrigen ${count(without)} haben keine Koordinaten: unter 30 kW nennt das Register den Ort nicht.`,
        `${shown} The other ${count(without)} have no coordinates: below 30 kW the register does not tell the place.`,
      );
}
