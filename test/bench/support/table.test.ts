import { expect, test } from 'vitest';
import { type Column, tableLines } from './table.ts';

interface Row {
  readonly name: string;
  readonly value?: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'what', align: 'left', cell: ({ name }) => name },
  { head: 'ms', align: 'right', cell: ({ value }) => value?.toFixed(1) },
];

const ROWS: readonly Row[] = [{ name: 'unit', value: 12.34 }, { name: 'a | b' }];

const noted = ({ value }: Row): string[] => (value === undefined ? ['answered 503'] : []);

test('people read columns, and below a row why it has no result', () => {
  expect(tableLines('text', COLUMNS, ROWS, noted)).toEqual([
    'what     ms',
    'unit   12.3',
    'a | b     -',
    '  ! answered 503',
  ]);
});

test('in Markdown the notes stand below the table, and no text ends a cell', () => {
  expect(tableLines('markdown', COLUMNS, ROWS, noted)).toEqual([
    '| what | ms |',
    '| :--- | ---: |',
    '| unit | 12.3 |',
    '| a \\| b | - |',
    '',
    '- answered 503',
  ]);
});
