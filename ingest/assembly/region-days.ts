import { DAY_ZERO, type DayGroup } from '../../sql/warehouse/regions/layout.ts';
import { createRegionDays } from '../../sql/warehouse/regions/writer.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';

/** The groups of region_tage with their indexes. */
const GROUPS = `SELECT row_number() OVER (ORDER BY serie, einheitTyp, statusId) - 1 AS gruppe, *
  FROM (SELECT DISTINCT serie, einheitTyp, statusId FROM region_tage)`;

/** Writes the days of regions from the finished roll-up. */
export async function fillRegionDays(warehouse: WarehouseConnection, path: string): Promise<void> {
  const groups = await warehouse.rows<DayGroup>(`SELECT serie, einheitTyp, statusId FROM (${GROUPS}) ORDER BY gruppe`);
  // Regions keep their numbers from night to night, so some may have none any more.
  const regions = await warehouse.rows<{ plz: string | null }>(
    `SELECT plz FROM range(1, (SELECT coalesce(max(region), 0) FROM regionen) + 1) AS numbers (region)
     LEFT JOIN regionen USING (region) ORDER BY numbers.region`,
  );
  const file = createRegionDays(path, groups);
  try {
    await warehouse.columns(
      warehouseSql('region-days.sql', { groups: GROUPS, dayZero: DAY_ZERO }),
      ([regions = [], ofGroups = [], days = [], units = [], watts = [], wattHours = []]) => {
        for (const [row, region] of (regions as number[]).entries()) {
          const [group, day] = [Number(ofGroups[row]), Number(days[row])];
          file.add(region, group, day, Number(units[row]), Number(watts[row]), Number(wattHours[row]));
        }
      },
    );
    file.finish({ postcodes: regions.map(({ plz }) => plz) });
  } catch (error) {
    file.abort();
    throw error;
  }
}
