import type { Group } from '../../v1/answers.ts';

/**
 * Groups as they were at the end of a day. Figures by inhabitants and area are by those of today: the units of all groups that are
 * one place today count together, as they do in the figures of the interface.
 * @param at number of the day
 */
export function groupsAt(groups: readonly Group[], at: number): readonly Group[] {
  const figures = groups.map((group): Group => {
    const { anzahl, bruttoleistungKw, speicherkapazitaetKwh } = group.bestand ?? NO_STOCK;
    return {
      ...group,
      count: anzahl[at] ?? 0,
      bruttoleistungKw: bruttoleistungKw[at] ?? 0,
      speicherkapazitaetKwh: speicherkapazitaetKwh[at] ?? null,
    };
  });
  const places = Map.groupBy(figures, placeOf);
  return figures.map((group) => {
    const { einwohner, flaecheKm2 } = group;
    const [units, kilowatts, kilowattHours] = sumsOf(places.get(placeOf(group)) ?? [group]);
    const by = (value: number, divisor: number | null | undefined): number | null => (divisor ? value / divisor : null);
    return {
      ...group,
      anzahlJe1000Einwohner: by(units * 1000, einwohner),
      kwJe1000Einwohner: by(kilowatts * 1000, einwohner),
      kwhJe1000Einwohner: by(kilowattHours * 1000, einwohner),
      kwJeKm2: by(kilowatts, flaecheKm2),
    };
  });
}

const NO_STOCK = { anzahl: [], bruttoleistungKw: [], speicherkapazitaetKwh: [] };

/** No two places have the same inhabitants and area; a group of no place of the list stands alone. */
const placeOf = ({ einwohner, flaecheKm2, key }: Group): string =>
  einwohner == null ? `${key}` : `${einwohner} ${flaecheKm2}`;

const sumsOf = (groups: readonly Group[]): readonly [number, number, number] => [
  groups.reduce((sum, { count }) => sum + count, 0),
  groups.reduce((sum, { bruttoleistungKw }) => sum + bruttoleistungKw, 0),
  groups.reduce((sum, { speicherkapazitaetKwh }) => sum + (speicherkapazitaetKwh ?? 0), 0),
];
