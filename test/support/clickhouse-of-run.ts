import { inject } from 'vitest';
import { type ClickHouseAccess, clickhouseAt } from './clickhouse-server.ts';

/** The ClickHouse server that all tests of a run share; each file has warehouses with prefixes of its own. */
export async function clickhouseOfRun(): Promise<ClickHouseAccess> {
  const answer = await fetch(inject('clickhouse') ?? 'no server');
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return clickhouseAt(Number(text));
}
