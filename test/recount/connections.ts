import { idOf, isMastrNumber, type TypedRow, type Value } from './values.ts';

type Values = Readonly<Record<string, Value>>;

/** Returns for each location the fields of its connection point; where it has several, of the first by rank. */
export function connectionsByLocation(
  {
    points,
    locations,
    areas,
    actors,
  }: Record<'points' | 'locations' | 'areas' | 'actors', ReadonlyMap<string, TypedRow>>,
  organisations: ReadonlyMap<string, string>,
): Map<string, Values> {
  const candidates = new Map<string, Set<string>>();
  const add = (location: string, point: string) =>
    candidates.set(location, (candidates.get(location) ?? new Set()).add(point));
  for (const [number, { values }] of points) {
    if (typeof values.LokationMaStRNummer === 'string') add(values.LokationMaStRNummer, number);
  }
  for (const [location, { values }] of locations) {
    for (const number of (values.NetzanschlusspunkteMaStRNummern as string[] | null) ?? []) {
      const point = points.get(number);
      if (point !== undefined && point.values.LokationMaStRNummer === null) add(location, number);
    }
  }
  // Before level 25.2 the grid operator names its grids.
  const operatorOfGrid = new Map<string, string>();
  for (const [number, { values }] of actors) {
    for (const grid of (values.Netz as string[] | null) ?? []) {
      if (!isMastrNumber(grid)) continue;
      const other = operatorOfGrid.get(grid);
      if (other === undefined || number < other) operatorOfGrid.set(grid, number);
    }
  }
  const connections = new Map<string, Values>();
  for (const [location, numbers] of candidates) {
    const [number] = [...numbers].sort((a, b) => compareRanks(rankOf(a, points.get(a)!), rankOf(b, points.get(b)!)));
    const { values } = points.get(number!)!;
    const area = areas.get(String(values.BilanzierungsgebietNetzanschlusspunktId))?.values;
    const operator = values.NetzbetreiberMaStRNummer ?? operatorOfGrid.get(String(values.NetzMaStRNummer)) ?? null;
    connections.set(location, {
      netzanschlusspunktMastrNummer: number!,
      netzbetreiberMastrNummer: operator,
      netzbetreiber: organisations.get(String(operator)) ?? null,
      spannungsebene: values.Spannungsebene ?? null,
      bilanzierungsgebiet: area?.BilanzierungsgebietNetzanschlusspunkt ?? area?.Yeic ?? null,
      regelzone: values.RegelzoneNetzanschlusspunkt ?? area?.RegelzoneNetzanschlusspunkt ?? null,
    });
  }
  return connections;
}

/** Ranks points that are not in planning first, then the highest voltage, which has the smallest id. */
const rankOf = (number: string, point: TypedRow): (string | number)[] => [
  point.values.NochInPlanung === true ? 1 : 0,
  idOf(point, 'Spannungsebene') ?? Number.POSITIVE_INFINITY,
  number,
];

function compareRanks(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [place, value] of a.entries()) {
    if (value !== b[place]) return value < b[place]! ? -1 : 1;
  }
  return 0;
}
