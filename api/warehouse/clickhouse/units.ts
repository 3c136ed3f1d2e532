import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import type { WarehouseStatement } from '../../../sql/query/statement.ts';
import { digitsOf, mastrBits } from '../../../sql/register/mastr-number.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { fieldsOfRows } from '../../../sql/warehouse/clickhouse/rows.ts';
import { textsOf } from '../../../sql/warehouse/rows/texts.ts';
import type { UnitReader, VersionMeter, VersionReader } from '../version.ts';

/** Reads the fields that the codes of a version's rows stand for. */
export async function rowFieldsOf(client: ClickHouseClient): Promise<readonly string[]> {
  const columns = await queryRows(client, z.object({ name: z.string(), comment: z.string() }), 'DESCRIBE TABLE zeilen');
  const column = columns.find(({ name }) => name === 'zeile');
  if (column === undefined) throw new Error('The table zeilen has no column zeile');
  return fieldsOfRows(column.comment);
}

/**
 * Reads units by their numbers from the table that has each as one text.
 * @param fields names by code
 */
export const unitReader = (
  query: VersionReader['query'],
  fields: readonly string[],
  meter: VersionMeter,
): UnitReader => ({
  async existing(numbers) {
    const rows = await query(bitsRow, selectUnits('', numbers));
    const found = new Set(rows.map(({ bits }) => bits));
    return new Set(numbers.filter((number) => found.has(bitsOf(number))));
  },
  async read(numbers, columns) {
    meter.unitsRead(numbers.length);
    const names = fields.map((name) => (columns.has(name) ? name : null));
    const rows = numbers.length === 0 ? [] : await query(unitTextRow, selectUnits(', zeile', numbers));
    const texts = new Map(rows.map(({ bits, zeile }) => [bits, textsOf(zeile, names)]));
    return numbers.map((number) => texts.get(bitsOf(number)) ?? null);
  },
});

const bitsRow = z.strictObject({ bits: z.string() });
const unitTextRow = z.strictObject({ bits: z.string(), zeile: z.string() });

const selectUnits = (more: string, numbers: readonly string[]): WarehouseStatement => ({
  text: `SELECT toString(nummer) AS bits${more} FROM zeilen WHERE nummer IN (SELECT toInt64(arrayJoin($nummern)))`,
  values: { nummern: numbers.map(bitsOf).filter((bits) => bits !== NO_UNIT) },
});

/** Stands for a text that is no number of a unit. */
const NO_UNIT = '';

const bitsOf = (number: string): string => (Number.isFinite(digitsOf(number)) ? String(mastrBits(number)) : NO_UNIT);
