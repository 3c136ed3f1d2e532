import { IS_CONSPICUOUS } from '../../sql/catalogue/anomalies.ts';
import { duckdbMastrBits } from '../../sql/register/mastr-number.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';

/** Selects of the rows of small tables of units, from a table with the columns of `units`. */

/** @param seldom a table with the columns of the projections, and all units that have something seldom */
export const conspicuousRows = (units: string, seldom: string): string =>
  warehouseSql('conspicuous.sql', { units, seldom, isConspicuous: IS_CONSPICUOUS });

export const locationRows = (units: string): string =>
  warehouseSql('locations.sql', { units, location: duckdbMastrBits('lokationMastrNummer') });
