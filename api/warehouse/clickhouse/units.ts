import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { LISTED_PROJECTIONS, type Projection } from '../../../sql/catalogue/projections.ts';
import type { WarehouseStatement } from '../../../sql/query/statement.ts';
import { digitsOf, mastrBits } from '../../../sql/register/mastr-number.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { fieldsOfRows } from '../../../sql/warehouse/clickhouse/rows.ts';
import { textsOf } from '../../../sql/warehouse/rows/texts.ts';
import type { ListedTexts, UnitReader, VersionMeter, VersionReader } from '../version.ts';

/** The fields that the codes of a version's texts stand for. */
export interface RowFields {
  /** Of the table that has units in full. */
  readonly full: readonly string[];
  /** Of the tables that have them as lists show them; null for a version of an earlier release. */
  readonly listed: readonly string[] | null;
}

export async function rowFieldsOf(client: ClickHouseClient): Promise<RowFields> {
  const full = await textFieldsOf(client, 'zeilen');
  if (full === null) throw new Error('The table zeilen has no column zeile');
  return { full, listed: await textFieldsOf(client, 'units_by_number') };
}

async function textFieldsOf(client: ClickHouseClient, table: Projection | 'zeilen'): Promise<readonly string[] | null> {
  const described = z.object({ name: z.string(), comment: z.string() });
  const columns = await queryRows(client, described, `DESCRIBE TABLE ${table}`);
  const column = columns.find(({ name }) => name === 'zeile');
  return column === undefined ? null : fieldsOfRows(column.comment);
}

const listedTexts = (fields: readonly string[], meter: VersionMeter): ListedTexts => ({
  tables: LISTED_PROJECTIONS,
  has: (columns) => [...columns].every((name) => fields.includes(name)),
  textsOf(row) {
    meter.unitsRead(1);
    return textsOf(row, fields);
  },
});

/**
 * Reads units by their numbers from the table that has each as one text.
 */
export const unitReader = (
  query: VersionReader['query'],
  { full, listed }: RowFields,
  meter: VersionMeter,
): UnitReader => ({
  listed: listed === null ? null : listedTexts(listed, meter),
  async existing(numbers) {
    if (numbers.length === 0) return new Set();
    const rows = await query(bitsRow, selectUnits('', numbers));
    const found = new Set(rows.map(({ bits }) => bits));
    return new Set(numbers.filter((number) => found.has(bitsOf(number))));
  },
  async read(numbers, columns) {
    meter.unitsRead(numbers.length);
    const names = full.map((name) => (columns.has(name) ? name : null));
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
