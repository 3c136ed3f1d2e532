import { KEY_DIGITS, PLACE_LEVELS, WITHOUT_KEY } from '../../sql/query/places.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';

/** The statements that fill `gebiete` and `regionen` from the temporary table `unit_regions`, in their order. */
export const placeStatements = (): string[] => [
  ...PLACE_LEVELS.map((level) =>
    warehouseSql('places.sql', {
      level,
      digits: KEY_DIGITS[level],
      withoutKey: WITHOUT_KEY,
      others: KEY_DIGITS.gemeinde - KEY_DIGITS[level],
    }),
  ),
  warehouseSql('regions.sql'),
];
