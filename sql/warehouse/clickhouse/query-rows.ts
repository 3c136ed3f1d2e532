import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';

/**
 * Runs a statement and returns its rows, each checked. Statements cast 64-bit numbers to texts or to fewer bits, as servers
 * differ in whether they quote them.
 * @throws ZodError for a row of another shape
 */
export async function queryRows<Row>(
  client: ClickHouseClient,
  shape: z.ZodType<Row>,
  query: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> {
  const result = await client.query({ query, query_params: { ...values }, format: 'JSONEachRow' });
  return z.array(shape).parse(await result.json());
}
