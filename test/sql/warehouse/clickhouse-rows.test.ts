import { expect, test } from 'vitest';
import { fieldsOfRows, rowFields } from '../../../sql/warehouse/clickhouse/rows.ts';
import { ROW_COLUMNS } from '../../../sql/warehouse/duckdb/rows.ts';
import { fieldCode, UNIT_SEPARATOR } from '../../../sql/warehouse/rows/layout.ts';
import { textsOf } from '../../../sql/warehouse/rows/texts.ts';

/** Units as texts in ClickHouse: a version records the fields of its codes. */

const value = (code: number, text: string): string => String.fromCodePoint(fieldCode(code)) + text + UNIT_SEPARATOR;

test('the comment of the column names the fields in the order of their codes', () => {
  expect(fieldsOfRows(rowFields(ROW_COLUMNS))).toEqual(ROW_COLUMNS.map(({ name }) => name));
});

test('a column with another comment is no text', () => {
  expect(fieldsOfRows('units.nummer')).toBeNull();
});

test('reads a version of an earlier release by its own codes', () => {
  const fields = fieldsOfRows('fields by their codes: mastrNummer, gone, name') ?? [];
  const text = value(0, 'SEE900000000001') + value(1, 'what it had') + value(2, 'Windrad');
  expect([...textsOf(text, fields)]).toEqual([
    ['mastrNummer', 'SEE900000000001'],
    ['gone', 'what it had'],
    ['name', 'Windrad'],
  ]);
});

test('nothing behind a code is no value: fields are written by groups', () => {
  const text = value(0, 'Windrad') + value(1, '') + value(2, '24837');
  expect([...textsOf(text, ['name', 'ort', 'plz'])]).toEqual([
    ['name', 'Windrad'],
    ['plz', '24837'],
  ]);
});

test('joins the texts of a unit, each with codes of its own', () => {
  const listed = textsOf(value(0, 'Windrad'), ['name']);
  expect([...textsOf(value(0, '24837'), ['plz'], listed)]).toEqual([
    ['name', 'Windrad'],
    ['plz', '24837'],
  ]);
});
