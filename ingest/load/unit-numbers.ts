import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { IS_CONSPICUOUS } from '../../sql/catalogue/anomalies.ts';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { CONSPICUOUS_UNITS } from '../../sql/query/conspicuous.ts';
import { LOCATIONS } from '../../sql/query/neighbours.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';

/** Tables with a row for each unit, and the column that has its number. */
const NUMBERS: Readonly<Record<string, string>> = {
  units: 'nummer',
  ...Object.fromEntries(Object.keys(PROJECTIONS).map((table) => [table, 'mastrNummer'])),
  zeilen: 'nummer',
};

/** Tables with a row for each conspicuous unit. */
const NUMBERS_OF_CONSPICUOUS: Readonly<Record<string, string>> = {
  [`units WHERE ${IS_CONSPICUOUS}`]: 'nummer',
  [CONSPICUOUS_UNITS]: 'mastrNummer',
};

/** Tables with a row for each unit that has a location. */
const NUMBERS_OF_LOCATED: Readonly<Record<string, string>> = {
  'units WHERE lokationMastrNummer IS NOT NULL': 'nummer',
  [LOCATIONS]: 'nummer',
};

const numbersRow = z.strictObject({ name: z.string(), rows: z.string(), digest: z.string() });

/**
 * Compares the tables that views fill with `units` by the numbers of their units alone, which shows whether each unit is there once: what
 * else a row has, the server has taken from `units`. Comparing whole rows takes more than loading them.
 * @returns one sentence for each difference
 */
export async function numberDifferences(client: ClickHouseClient): Promise<string[]> {
  const differences: string[] = [];
  for (const numbers of [NUMBERS, NUMBERS_OF_CONSPICUOUS, NUMBERS_OF_LOCATED]) {
    differences.push(...(await differencesAmong(numbers, client)));
  }
  return differences;
}

/** @param numbers tables, of which the first has what the others should have */
async function differencesAmong(
  numbers: Readonly<Record<string, string>>,
  client: ClickHouseClient,
): Promise<string[]> {
  const selects = Object.entries(numbers).map(
    ([table, number], place) =>
      `SELECT '${place === 0 ? 'units' : table}' AS name, toString(count()) AS rows, toString(sum(cityHash64(${number}))) AS digest FROM ${table}`,
  );
  const tables = await queryRows(client, numbersRow, selects.join('\nUNION ALL\n'));
  const units = tables.find(({ name }) => name === 'units');
  return tables
    .filter(({ rows, digest }) => rows !== units?.rows || digest !== units.digest)
    .map(({ name, rows }) =>
      rows === units?.rows
        ? `${name}: other units than units has`
        : `${name}: rows ${rows}, and units has ${units?.rows}`,
    );
}
