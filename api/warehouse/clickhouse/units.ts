import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import type { WarehouseStatement } from '../../../sql/query/statement.ts';
import { digitsOf, mastrBits } from '../../../sql/register/mastr-number.ts';
import { LISTED_TEXTS } from '../../../sql/warehouse/clickhouse/listed-texts.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { fieldsOfRows } from '../../../sql/warehouse/clickhouse/rows.ts';
import { textsOf, type UnitTexts } from '../../../sql/warehouse/rows/texts.ts';
import type { ListedTexts, UnitReader, VersionMeter, VersionReader } from '../version.ts';

/** A column with a text of each unit. */
interface TextColumn {
  readonly name: string;
  /** The fields that its codes stand for; null for one that is not read. */
  readonly fields: readonly (string | null)[];
}

/** The texts that a version has of its units. */
export interface RowFields {
  /** Of the table that has units in full: an earlier release kept all fields in one text. */
  readonly full: readonly TextColumn[];
  /** The tables that have units as lists show them, and their fields; null for a version of an earlier release. */
  readonly listed: { readonly tables: ReadonlySet<string>; readonly fields: TextColumn['fields'] } | null;
}

/** @param tables those that the version has */
export async function rowFieldsOf(client: ClickHouseClient, tables: ReadonlySet<string>): Promise<RowFields> {
  const full = await textsIn(client, 'zeilen');
  if (full.length === 0) throw new Error('The table zeilen has no column that says its fields');
  const found = await Promise.all(
    [...LISTED_TEXTS.keys()]
      .filter((table) => tables.has(table))
      .map(async (table) => ({ table, texts: await textsIn(client, table) })),
  );
  const listed = found.filter(({ texts }) => texts.length > 0);
  const fields = listed[0]?.texts[0]?.fields;
  return {
    full,
    listed: fields === undefined ? null : { tables: new Set(listed.map(({ table }) => table)), fields },
  };
}

async function textsIn(client: ClickHouseClient, table: string): Promise<TextColumn[]> {
  const described = z.object({ name: z.string(), comment: z.string() });
  const columns = await queryRows(client, described, `DESCRIBE TABLE ${table}`);
  return columns.flatMap(({ name, comment }) => {
    const fields = fieldsOfRows(comment);
    return fields === null ? [] : [{ name, fields }];
  });
}

const listedTexts = ({ tables, fields }: NonNullable<RowFields['listed']>, meter: VersionMeter): ListedTexts => ({
  tables,
  has: (columns) => [...columns].every((name) => fields.includes(name)),
  textsOf(row) {
    meter.unitsRead(1);
    return textsOf(row, fields);
  },
});

/** Reads units by their numbers from the table that has their texts: those that have a field which is asked for. */
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
    const wanted = full
      .map(({ name, fields }) => ({
        name,
        fields: fields.map((field) => (field !== null && columns.has(field) ? field : null)),
      }))
      .filter(({ fields }) => fields.some((field) => field !== null));
    const select = selectUnits(wanted.map(({ name }) => `, ${name}`).join(''), numbers);
    const rows = numbers.length === 0 ? [] : await query(unitTextsRow, select);
    const units = new Map(rows.map((row) => [row.bits, valuesOf(row, wanted)]));
    return numbers.map((number) => units.get(bitsOf(number)) ?? null);
  },
});

/** The values of the fields in the texts of a unit. */
function valuesOf(row: z.infer<typeof unitTextsRow>, texts: readonly TextColumn[]): UnitTexts {
  const values = new Map<string, string>();
  for (const { name, fields } of texts) textsOf(row[name] ?? '', fields, values);
  return values;
}

const bitsRow = z.strictObject({ bits: z.string() });
const unitTextsRow = z.record(z.string(), z.string());

const selectUnits = (more: string, numbers: readonly string[]): WarehouseStatement => ({
  text: `SELECT toString(nummer) AS bits${more} FROM zeilen WHERE nummer IN (SELECT toInt64(arrayJoin($nummern)))`,
  values: { nummern: numbers.map(bitsOf).filter((bits) => bits !== NO_UNIT) },
});

/** Stands for a text that is no number of a unit. */
const NO_UNIT = '';

const bitsOf = (number: string): string => (Number.isFinite(digitsOf(number)) ? String(mastrBits(number)) : NO_UNIT);
