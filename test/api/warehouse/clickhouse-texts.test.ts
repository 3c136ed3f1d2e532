import type { ClickHouseClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { rowFieldsOf, unitReader } from '../../../api/warehouse/clickhouse/units.ts';

/** Texts of units as lists show them, which versions of earlier releases lack. */

const METER = { statementEnded: () => {}, unitsRead: () => {} };

/** A server whose tables have these columns. */
const serverWith = (columns: Readonly<Record<string, string>>): ClickHouseClient =>
  ({
    query: async ({ query }: { query: string }) => {
      const comment = columns[query.replace('DESCRIBE TABLE ', '')];
      return { json: async () => (comment === undefined ? [] : [{ name: 'zeile', comment }]) };
    },
  }) as unknown as ClickHouseClient;

const FULL = 'fields by their codes: mastrNummer, name, plz';

test('a version of an earlier release has none, so its pages are read from the full texts', async () => {
  const fields = await rowFieldsOf(serverWith({ zeilen: FULL }));
  expect(unitReader(async () => [], fields, METER).listed).toBeNull();
});

test('a page is answered from them when they have every field that it shows', async () => {
  const fields = await rowFieldsOf(
    serverWith({ zeilen: FULL, units_by_number: 'fields by their codes: mastrNummer, name' }),
  );
  const { listed } = unitReader(async () => [], fields, METER);
  expect(listed?.has(new Set(['name', 'mastrNummer']))).toBe(true);
  expect(listed?.has(new Set(['name', 'plz']))).toBe(false);
});
