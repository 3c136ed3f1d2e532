import type { Dimension } from '../../sql/query/dimensions.ts';
import { type Group, type GroupRequest, groupRow, groupStatement } from '../../sql/query/groups.ts';
import { listLevel } from '../../sql/query/per-place.ts';
import { listOf } from '../places/list.ts';
import { perPlaceOf } from '../places/per-place.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { type Counted, type FurtherFigure, figuresFrom, sharesFrom, stockFrom } from './group.ts';

/** Aggregations by one dimension. */

/** Most groups of one answer: the first of them. */
export const MAX_GROUPS = 1000;

const NO_UNITS = { totalCount: 0, totalKw: 0, totalKwh: 0, totalNetKw: 0 };

/** Reads the groups of a dimension, the totals, and for the meta whether there are more, and the list of places. */
export async function readGroups(
  request: Omit<GroupRequest, 'limit' | 'net'>,
  further: readonly FurtherFigure[],
  version: VersionReader,
): Promise<Counted> {
  const { projections } = version.dialects;
  const net = further.includes('nettonennleistungKw');
  const rows = await version.query(groupRow, groupStatement({ ...request, net, limit: MAX_GROUPS + 1 }, projections));
  const found = rows.filter((row) => row.count !== null);
  const energyOf = (kwh: number) => (projections.storageEnergy ? kwh : null);
  const netOf = (kw: number | null | undefined) =>
    net ? { nettonennleistungKw: projections.netCapacity ? (kw ?? 0) : null } : {};
  const level = listLevel(request.dimension, { listedPlaces: true });
  const { totalCount, totalKw, totalKwh, totalNetKw } = rows[0] ?? NO_UNITS;
  const all = { count: totalCount, kw: totalKw };
  const groups = found.slice(0, MAX_GROUPS).map((row) => ({
    ...keyOf(row, request.dimension),
    ...figuresFrom(row),
    speicherkapazitaetKwh: energyOf(row.kwh),
    ...(level === null ? {} : perPlaceOf(row, version)),
    ...netOf(row.netKw),
    ...(further.includes('anteile') ? { anteile: sharesFrom(row, all) } : {}),
    ...((request.stockDays ?? []).length === 0 ? {} : { bestand: stockFrom(row, energyOf) }),
  }));
  const totals = { count: totalCount, bruttoleistungKw: totalKw, speicherkapazitaetKwh: energyOf(totalKwh) };
  return {
    groups,
    totals: { ...totals, ...netOf(totalNetKw) },
    truncated: found.length > MAX_GROUPS,
    list: level === null ? {} : { bezug: await listOf(rows[0], version) },
  };
}

/** Members of a place are missing in groups that are none. */
const keyOf = ({ key, schluessel, name, bundesland }: Group, { places }: Dimension) =>
  places === null ? { key } : { key, schluessel, name, bundesland };
