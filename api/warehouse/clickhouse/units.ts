import type { ClickHouseClient } from '@clickhouse/client';
import { digitsOf, mastrBits } from '../../../sql/register/mastr-number.ts';
import { rowsOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { fieldsOfRows } from '../../../sql/warehouse/clickhouse/rows.ts';
import { textsOf } from '../../../sql/warehouse/rows/reader.ts';
import type { Reading, Units, VersionMeter } from '../version.ts';

/** The fields that the codes of a version's rows stand for. */
export async function rowFieldsOf(client: ClickHouseClient): Promise<readonly string[]> {
  const columns = await rowsOf<{ name: string; comment: string }>(client, 'DESCRIBE TABLE zeilen');
  return fieldsOfRows(columns.find(({ name }) => name === 'zeile')!.comment);
}

/**
 * Units by their numbers, from the table that has each as one text.
 * @param fields names by code
 */
export const unitsOfRows = (query: Reading['query'], fields: readonly string[], meter: VersionMeter): Units => ({
  async known(numbers) {
    const found = new Set((await rowsWith('', numbers, query)).map(({ bits }) => bits));
    return new Set(numbers.filter((number) => found.has(bitsOf(number))));
  },
  async read(numbers, columns) {
    meter.unitsRead(numbers.length);
    const taken = fields.map((name) => (columns.has(name) ? name : null));
    const rows = numbers.length === 0 ? [] : await rowsWith(', zeile', numbers, query);
    const texts = new Map(rows.map(({ bits, zeile }) => [bits, textsOf(zeile!, taken)]));
    return numbers.map((number) => texts.get(bitsOf(number)) ?? null);
  },
});

interface Row {
  readonly bits: string;
  readonly zeile?: string;
}

const rowsWith = (more: string, numbers: readonly string[], query: Reading['query']): Promise<Row[]> =>
  query<Row>({
    text: `SELECT toString(nummer) AS bits${more} FROM zeilen WHERE nummer IN (SELECT toInt64(arrayJoin($nummern)))`,
    values: { nummern: numbers.map(bitsOf).filter((bits) => bits !== NO_UNIT) },
  });

/** What is no number of a unit. */
const NO_UNIT = '';

const bitsOf = (number: string): string => (Number.isFinite(digitsOf(number)) ? String(mastrBits(number)) : NO_UNIT);
