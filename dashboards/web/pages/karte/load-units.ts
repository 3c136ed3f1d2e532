import { carrierColor, kindName } from '../../charts/carriers.ts';
import { count, power } from '../../format/numbers.ts';
import type { Mark } from '../../map/point-layer.tsx';
import { pointAt } from '../../map/projection.ts';
import { allPages, PAGE_SIZE } from '../../v1/all-pages.ts';
import type { Unit, UnitList } from '../../v1/answers.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import type { Loading } from '../../v1/use-answer.ts';

/** The units of a district, or of an event, as points. */
export interface PlacedUnits {
  readonly units: readonly Unit[];
  /** Units that the question is about, with a point or without. */
  readonly all: number;
  /** True: the interface ended the list at its ceiling. */
  readonly isCut: boolean;
}

const FIELDS = [
  ...['name', 'einheitTyp', 'energietraeger', 'betriebsStatus', 'bruttoleistungKw', 'ort', 'latitude', 'longitude'],
];

/** The largest first: those remain where the interface ends the list. */
export const unitsRequest = (filters: Query): ApiRequest => ({
  path: '/v1/units',
  query: { ...filters, hatKoordinaten: true, fields: FIELDS, sort: 'bruttoleistungKw:desc', limit: PAGE_SIZE },
});

/** Loads all units with coordinates, page by page. */
export async function loadUnits(filters: Query, loading: Loading): Promise<PlacedUnits> {
  const [{ rows, isComplete }, everything] = await Promise.all([
    allPages<Unit>(loading, unitsRequest(filters)),
    loading.ask<UnitList>({ path: '/v1/units', query: { ...filters, fields: ['name'], limit: 1 } }),
  ]);
  return { units: rows, all: everything.meta.page.total ?? rows.length, isCut: !isComplete };
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
export function aboutPoints({ units, all, isCut }: PlacedUnits): string {
  const without = all - units.length;
  const shown = `${count(units.length)} von ${count(all)} Einheiten haben hier einen Punkt.`;
  if (isCut) return `${shown} Die Liste endet an der Obergrenze der Schnittstelle; die größten sind dabei.`;
  return without === 0
    ? shown
    : `${shown} Die übrigen ${count(without)} haben keine Koordinaten: unter 30 kW nennt das Register den Ort nicht.`;
}
