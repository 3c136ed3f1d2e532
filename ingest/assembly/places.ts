import { fileURLToPath } from 'node:url';
import { KEY_DIGITS, PLACE_LEVELS, WITHOUT_KEY } from '../../sql/query/places.ts';
import { STATE_NAMES } from '../../sql/register/states.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';

const REFERENCE = new URL('../../data/reference/places/', import.meta.url);

const fileOf = (name: string): string => literal(fileURLToPath(new URL(name, REFERENCE)));

/**
 * The statements that fill `orte`, `gebiete`, `regionen`, and what rules of plausibility read of keys, from the temporary table
 * `unit_regions`, in their order.
 * @param list the operator's list of places; null: that of the product
 */
export const placeStatements = (list: string | null): string[] => [
  warehouseSql('region-numbers.sql'),
  warehouseSql('listed-places.sql', {
    list: list === null ? fileOf('gemeinden.csv') : literal(list),
    former: fileOf('former-keys.csv'),
    states: Object.entries(STATE_NAMES)
      .map(([key, name]) => `(${literal(key)}, ${literal(name)})`)
      .join(', '),
  }),
  ...PLACE_LEVELS.map((level) =>
    warehouseSql('places.sql', {
      level,
      digits: KEY_DIGITS[level],
      withoutKey: WITHOUT_KEY,
      others: KEY_DIGITS.gemeinde - KEY_DIGITS[level],
      numbering: warehouseSql('place-numbers.sql', { level }),
    }),
  ),
  warehouseSql('regions.sql'),
  warehouseSql('place-keys.sql', {
    former: fileOf('former-keys.csv'),
    product: fileOf('gemeinden.csv'),
    divided: fileOf('divided-keys.csv'),
  }),
];
