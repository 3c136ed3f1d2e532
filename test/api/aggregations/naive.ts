import { anomaliesIn } from '../../../sql/catalogue/anomalies.ts';
import { carriersIn } from '../../../sql/catalogue/carriers.ts';
import { SIGNAL_IDS } from '../../../sql/catalogue/signals.ts';
import type { Place } from '../../support/places.ts';

/** Counting in plain code: a second way to every figure of an aggregation. */

export type Unit = Readonly<Record<string, unknown>>;

interface Group {
  readonly key: string | null;
  readonly count: number;
  readonly bruttoleistungKw: number;
  readonly durchschnittsleistungKw: number | null;
  readonly speicherkapazitaetKwh: number;
  /** Groups of places also have their key, name and state. */
  readonly schluessel?: string | null;
  readonly name?: string | null;
  readonly bundesland?: string | null;
}

/** The place of each unit; a unit without a place has none. */
export type PlaceOfUnit = ReadonlyMap<Unit, Place<Unit>>;

/**
 * All groups, in the form of GET /v1/aggregations.
 * @param places for dimensions whose groups are places: those of the whole register, which decides how they are spelt
 */
export function grouped(units: readonly Unit[], dimension: string, places: PlaceOfUnit | null): Group[] {
  const groups = places === null ? byValue(units, dimension) : byPlace(units, places);
  return groups.sort((a, b) => b.count - a.count || inOrder(a.key, b.key));
}

function byPlace(units: readonly Unit[], places: PlaceOfUnit): Group[] {
  return [...Map.groupBy(units, (unit) => places.get(unit))].map(([place, members]) => {
    const { wert = null, schluessel = null, name = null, bundesland = null } = place ?? {};
    return { ...group(wert, members), schluessel, name, bundesland };
  });
}

function byValue(units: readonly Unit[], dimension: string): Group[] {
  const keyed = units.flatMap((unit) => keysOf(unit, dimension).map((key) => [key, unit] as const));
  return [...Map.groupBy(keyed, ([key]) => key)].map(([key, members]) =>
    group(
      key,
      members.map(([, unit]) => unit),
    ),
  );
}

/** A value of a dimension: its key, and what a place has beside it. */
type Value = Pick<Group, 'bundesland' | 'key' | 'name' | 'schluessel'>;

function valuesOf(unit: Unit, dimension: string, places: PlaceOfUnit | undefined): Value[] {
  if (places === undefined) return keysOf(unit, dimension).map((key) => ({ key }));
  const { wert: key = null, schluessel = null, name = null, bundesland = null } = places.get(unit) ?? {};
  return [{ key, schluessel, name, bundesland }];
}

/** The figures that groups by two dimensions have beside those of one. */
const further = (units: readonly Unit[], all: Whole) => ({
  nettonennleistungKw: sumOf(units, 'nettonennleistungKw'),
  anteile: {
    anzahl: share(units.length, all.count),
    bruttoleistung: share(kilowatts(units), all.bruttoleistungKw),
  },
});

type Whole = ReturnType<typeof total>;

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1e6) / 1e6;

/** Groups, sub-totals and totals by two dimensions, in the form of GET /v1/aggregations. */
export function pairs(
  units: readonly Unit[],
  [one, two]: readonly [string, string],
  places: ReadonlyMap<string, PlaceOfUnit>,
) {
  const inGroups = (members: readonly Unit[], dimension: string): [Value, Unit[]][] => {
    const valued = members.flatMap((unit) =>
      valuesOf(unit, dimension, places.get(dimension)).map((value) => ({ value, unit })),
    );
    return [...Map.groupBy(valued, ({ value }) => value.key).values()].map((group) => [
      group[0]!.value,
      group.map(({ unit }) => unit),
    ]);
  };
  const all = total(units);
  const subtotals = (dimension: string) =>
    inGroups(units, dimension)
      .map(([value, members]) => ({ ...group(value.key, members), ...value, ...further(members, all) }))
      .sort((a, b) => b.count - a.count || inOrder(a.key, b.key));
  const groups = inGroups(units, one).flatMap(([value, members]) => {
    const first = total(members);
    return inGroups(members, two).map(([zweite, both]) => {
      const { anteile, ...figures } = further(both, all);
      const ofFirst = further(both, first).anteile;
      return {
        ...group(value.key, both),
        ...value,
        zweite,
        ...figures,
        anteile: { ...anteile, anzahlInErster: ofFirst.anzahl, bruttoleistungInErster: ofFirst.bruttoleistung },
      };
    });
  });
  return {
    groupBy: `${one},${two}`,
    groups: groups.sort((a, b) => b.count - a.count || inOrder(a.key, b.key) || inOrder(a.zweite.key, b.zweite.key)),
    teilsummen: { erste: subtotals(one), zweite: subtotals(two) },
    totals: { ...all, nettonennleistungKw: sumOf(units, 'nettonennleistungKw') },
  };
}

export const total = (units: readonly Unit[]) => ({
  count: units.length,
  bruttoleistungKw: kilowatts(units),
  speicherkapazitaetKwh: kilowattHours(units),
});

function group(key: string | null, units: readonly Unit[]): Group {
  const known = units.filter((unit) => unit.bruttoleistungKw !== null);
  const kw = kilowatts(known);
  const mean = known.length === 0 ? null : Math.round((kw / known.length) * 1e6) / 1e6;
  return {
    ...{ key, count: units.length, bruttoleistungKw: kw, durchschnittsleistungKw: mean },
    speicherkapazitaetKwh: kilowattHours(units),
  };
}

/** Watts and watt hours are whole numbers, so that their sum is exact. */
const sumOf = (units: readonly Unit[], field: string): number =>
  units.reduce((sum, unit) => sum + Math.round(Number(unit[field] ?? 0) * 1000), 0) / 1000;

const kilowatts = (units: readonly Unit[]): number => sumOf(units, 'bruttoleistungKw');
const kilowattHours = (units: readonly Unit[]): number => sumOf(units, 'speicherkapazitaetAnteilKwh');

/** The order of the bytes; null last. */
function inOrder(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function keysOf(unit: Unit, dimension: string): (string | null)[] {
  switch (dimension) {
    case 'signals':
      return SIGNAL_IDS.filter((_, bit) => Math.floor(Number(unit.signals ?? 0) / 2 ** bit) % 2 === 1);
    case 'auffaelligkeit':
      return anomaliesIn(Number(unit.auffaelligkeiten ?? 0)).map(({ regel }) => regel);
    case 'standortEnergietraeger':
    case 'netzanschlussEnergietraeger': {
      const mask = unit[dimension];
      return [mask == null ? null : carriersIn(Number(mask)).join(',')];
    }
    case 'inbetriebnahmejahr':
      return [unit.inbetriebnahmedatum === null ? null : String(unit.inbetriebnahmedatum).slice(0, 4)];
    case 'leistungsklasse':
      return [unit.bruttoleistungKw === null ? null : capacityClass(Number(unit.bruttoleistungKw))];
    default:
      return [(unit[dimension] ?? null) as string | null];
  }
}

const BOUNDS = [0, 1, 10, 30, 100, 750, 1000, 10_000];

function capacityClass(kw: number): string {
  const index = BOUNDS.findLastIndex((bound) => kw >= bound);
  return BOUNDS[index + 1] === undefined ? `${BOUNDS[index]}+` : `${BOUNDS[index]}-${BOUNDS[index + 1]}`;
}
