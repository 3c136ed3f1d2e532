import { DAY_ZERO, type DayGroup } from '../../sql/warehouse/regions/layout.ts';
import { openRegionDays } from '../../sql/warehouse/regions/reader.ts';
import { createRegionDays } from '../../sql/warehouse/regions/writer.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import { CHANGED_REGIONS } from './by-difference.ts';

/** The groups of region_tage with their indexes. */
const GROUPS = `SELECT row_number() OVER (ORDER BY serie, einheitTyp, statusId) - 1 AS gruppe, *
  FROM (SELECT DISTINCT serie, einheitTyp, statusId FROM region_tage)`;

/**
 * Writes the days of regions from the finished roll-up.
 * @param before where it is that of the version before with some rows replaced (by-difference.ts), the file of that version
 */
export async function fillRegionDays(
  warehouse: WarehouseConnection,
  path: string,
  before: string | null,
): Promise<void> {
  const groups = await warehouse.rows<DayGroup>(`SELECT serie, einheitTyp, statusId FROM (${GROUPS}) ORDER BY gruppe`);
  // Regions keep their numbers from night to night, so some may have none any more.
  const regions = await warehouse.rows<{ plz: string | null }>(
    `SELECT plz FROM range(1, (SELECT coalesce(max(region), 0) FROM regionen) + 1) AS numbers (region)
     LEFT JOIN regionen USING (region) ORDER BY numbers.region`,
  );
  const kept = before === null ? null : await keptDays(warehouse, before, groups);
  const file = createRegionDays(path, groups);
  let next = 1;
  /** Copies the regions up to this one that have stayed as they were. */
  const keepUpTo = (region: number): void => {
    for (; kept !== null && next < region; next++) if (!kept.changed.has(next)) file.copy(next, kept.bytesOf(next));
  };
  try {
    await warehouse.columns(
      warehouseSql('region-days.sql', { groups: GROUPS, dayZero: DAY_ZERO, among: kept?.among ?? 'true' }),
      ([regions = [], ofGroups = [], days = [], units = [], watts = [], wattHours = []]) => {
        for (const [row, region] of (regions as number[]).entries()) {
          if (region > next) keepUpTo(region);
          const [group, day] = [Number(ofGroups[row]), Number(days[row])];
          file.add(region, group, day, Number(units[row]), Number(watts[row]), Number(wattHours[row]));
        }
      },
    );
    keepUpTo(regions.length + 1);
    file.finish({ postcodes: regions.map(({ plz }) => plz) });
  } catch (error) {
    file.abort();
    throw error;
  } finally {
    kept?.close();
  }
}

/** The days of regions that have stayed as they were in the version before. */
interface KeptDays {
  /** The other regions. */
  readonly changed: ReadonlySet<number>;
  /** A condition that finds these. */
  readonly among: string;
  bytesOf(region: number): Uint8Array;
  close(): void;
}

/** @returns null where other days occur than before, so that groups have other indexes */
async function keptDays(
  warehouse: WarehouseConnection,
  before: string,
  groups: readonly DayGroup[],
): Promise<KeptDays | null> {
  const earlier = openRegionDays(before);
  const textOf = (all: readonly DayGroup[]): string =>
    all.map(({ serie, einheitTyp, statusId }) => [serie, einheitTyp, statusId].join(' ')).join('|');
  if (textOf(earlier.groups) !== textOf(groups)) {
    earlier.close();
    return null;
  }
  const numbers = await warehouse.rows<{ region: number }>(`SELECT DISTINCT region FROM ${CHANGED_REGIONS}`);
  return {
    changed: new Set(numbers.map(({ region }) => region)),
    among: `region IN (FROM ${CHANGED_REGIONS})`,
    bytesOf: earlier.bytesOf,
    close: earlier.close,
  };
}
