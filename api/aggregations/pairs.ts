import type { Dimension } from '../../sql/query/dimensions.ts';
import { type PairRequest, type PairRow, pairRow, pairStatement } from '../../sql/query/pairs.ts';
import type { CoveredPlace } from '../../sql/query/places.ts';
import { violated } from '../problem/problem.ts';
import type { Table } from '../representation/table.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { type Counted, figuresFrom, type SubtotalOf, sharesFrom, stockFrom, type Whole } from './group.ts';

/** Aggregations by two dimensions: pairs, the sub-totals of both, and the total. */

/** Most pairs of one answer, as many as a list has rows. */
export const MAX_PAIRS = 10_000;

/** Sub-totals come after all pairs. */
const MAX_ROWS = 3 * MAX_PAIRS;

const NOTHING = { count: 0, kw: 0, known: 0, kwh: 0, netKw: 0 };

/** @throws Problem TOO_MANY_GROUPS */
export async function readPairs(request: Omit<PairRequest, 'limit'>, version: VersionReader): Promise<Counted> {
  const statement = pairStatement({ ...request, limit: MAX_ROWS }, version.dialects.projections);
  const rows = await version.query(pairRow, statement);
  const [one, two] = [request.first.dimension, request.second.dimension];
  const pairs = rows[0]?.pairs ?? 0;
  if (pairs > MAX_PAIRS) throw tooMany(pairs, one, two);
  return { ...pairsFrom(rows.sort(inOrder), one, two, version), truncated: false, list: {} };
}

function pairsFrom(rows: readonly PairRow[], one: Dimension, two: Dimension, { dialects }: VersionReader) {
  const { storageEnergy, netCapacity } = dialects.projections;
  const ofLevel = (first: number, second: number) =>
    rows.filter(({ ofAll }) => ofAll[0] === first && ofAll[1] === second);
  const [total = NOTHING] = ofLevel(1, 1);
  const ofFirst = ofLevel(0, 1);
  const firstOf = new Map(ofFirst.map((row) => [row.key, row]));
  const energyOf = (kwh: number) => (storageEnergy ? kwh : null);
  const netOf = (kw: number) => (netCapacity ? kw : null);
  const figures = (row: PairRow, first?: Whole) => ({
    ...figuresFrom(row),
    speicherkapazitaetKwh: energyOf(row.kwh),
    nettonennleistungKw: netOf(row.netKw),
    anteile: sharesFrom(row, total, first),
    ...(row.bestandAnzahl === undefined ? {} : { bestand: stockFrom(row, energyOf) }),
  });
  return {
    groups: ofLevel(0, 0).map((row) => ({
      ...memberOf(row, one),
      zweite: memberOf(secondOf(row), two),
      ...figures(row, firstOf.get(row.key) ?? NOTHING),
    })),
    teilsummen: {
      erste: ofFirst.map((row) => ({ ...memberOf(row, one), ...figures(row) })),
      zweite: ofLevel(1, 0).map((row) => ({ ...memberOf(secondOf(row), two), ...figures(row) })),
    },
    totals: {
      count: total.count,
      bruttoleistungKw: total.kw,
      speicherkapazitaetKwh: energyOf(total.kwh),
      nettonennleistungKw: netOf(total.netKw),
    },
  };
}

type Value = Pick<PairRow, 'bundesland' | 'key' | 'name' | 'schluessel'>;

const secondOf = ({ key2, schluessel2, name2, bundesland2 }: PairRow): Value => ({
  key: key2,
  schluessel: schluessel2,
  name: name2,
  bundesland: bundesland2,
});

/** Members of a place are missing in groups that are none. */
function memberOf(
  { key, schluessel, name, bundesland }: Value,
  { places }: Dimension,
): { readonly key: string | null } & Partial<CoveredPlace> {
  if (places === null) return { key };
  return { key, schluessel: schluessel ?? null, name: name ?? null, bundesland: bundesland ?? null };
}

/** The largest first, then by key; units without a value follow those of equal count. */
const inOrder = (one: PairRow, other: PairRow): number =>
  other.count - one.count || byKey(one.key, other.key) || byKey(one.key2, other.key2);

function byKey(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

const tooMany = (pairs: number, one: Dimension, two: Dimension) =>
  violated([
    {
      parameter: 'groupBy',
      code: 'TOO_MANY_GROUPS',
      detail: `groupBy=${one.name},${two.name} has ${pairs.toLocaleString('en')} groups; one answer has at most ${MAX_PAIRS.toLocaleString('en')}. Ask for parts of them by a filter, such as each bundesland, or take a coarser dimension, such as landkreis in place of gemeinde`,
    },
  ]);

/** Columns of a wide table, which a spreadsheet must still open. */
const MAX_COLUMNS = 16_000;

/** Cells of a wide table, most of them empty: writing ten thousand rows of thousands would hold up everybody for a minute. */
const MAX_CELLS = 500_000;

const CELLS = ['count', 'bruttoleistungKw', 'speicherkapazitaetKwh', 'nettonennleistungKw'] as const;

const cellsOf = (group: SubtotalOf | undefined) => CELLS.map((name) => (group === undefined ? 0 : group[name]));

const tooWide = (size: string, advice: string) => {
  const detail = `A wide table would have ${size}: ${advice}, or take anordnung=lang`;
  return violated([{ parameter: 'anordnung', code: 'TOO_MANY_GROUPS', detail }]);
};

/**
 * A row for each value of the first dimension, with its sub-totals, and columns for each value of the second.
 * @throws Problem TOO_MANY_GROUPS
 */
export function wideTable(
  { groups, teilsummen }: Pick<Counted, 'groups' | 'teilsummen'>,
  { places }: Dimension,
): Omit<Table, 'beside'> {
  const erste = teilsummen?.erste ?? [];
  const named = [
    ...(erste[0]?.region === undefined ? [] : (['region'] as const)),
    'key' as const,
    ...(places === null ? [] : (['schluessel', 'name', 'bundesland'] as const)),
  ];
  const seconds = [...new Set(groups.map(({ zweite }) => zweite?.key ?? null))];
  const names = [...named, ...CELLS, ...seconds.flatMap((key) => CELLS.map((name) => `${key ?? 'ohne'}.${name}`))];
  if (names.length > MAX_COLUMNS) {
    throw tooWide(`${names.length.toLocaleString('en')} columns`, 'name the dimension with fewer values last');
  }
  const cells = names.length * erste.length;
  if (cells > MAX_CELLS) throw tooWide(`${cells.toLocaleString('en')} cells`, 'ask for parts of them by a filter');
  const rowOf = ({ region, key }: Pick<SubtotalOf, 'key' | 'region'>): string => JSON.stringify([region, key]);
  const pairs = Map.groupBy(groups, rowOf);
  return {
    columns: names.map((name) => ({ name, isDay: false })),
    rows: erste.map((row) => {
      const bySecond = new Map((pairs.get(rowOf(row)) ?? []).map((group) => [group.zweite?.key ?? null, group]));
      return [
        ...named.map((name) => row[name]),
        ...cellsOf(row),
        ...seconds.flatMap((key) => cellsOf(bySecond.get(key))),
      ];
    }),
  };
}
