import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CsvError, parse } from 'csv-parse';
import { refused } from '../../runtime/command-line/exit.ts';
import { itemAt } from '../../runtime/present.ts';
import { MAX_CONTACTS } from '../../sql/org/records/contacts.ts';
import {
  type ContactChange,
  FIELD_NAMES,
  FIELD_SHAPES,
  type FieldName,
  isEmptiable,
  REQUIRED_FIELDS,
} from '../contacts/fields.ts';
import { suggestion } from '../wire/nearest.ts';
import { messageOf } from '../wire/violations.ts';
import { uuid } from './common/schemas.ts';

/** Contacts in CSV: a header with names of fields, then a contact in each line. */

/** One line of the file. */
export interface ContactLine {
  /** From 1; of a record with line breaks the first. */
  readonly line: number;
  /** Null = a new contact. */
  readonly id: string | null;
  /** The columns of the file; null empties a field. */
  readonly fields: ContactChange;
}

/** A fault without the value that is at fault: files of contacts are about people. */
export interface LineFault {
  readonly line: number;
  readonly message: string;
}

const COLUMNS = ['id', ...FIELD_NAMES] as const;

type Column = (typeof COLUMNS)[number];

/** @throws CommandFailed when it is no CSV, or its header is not one of contacts */
export async function readContactLines(text: string): Promise<{ lines: ContactLine[]; faults: LineFault[] }> {
  const content = text.replace(/^\u{feff}/u, '');
  const [header, ...records] = await recordsOf(content, delimiterOf(content));
  if (header === undefined) throw refused('The file is empty: its first line names the columns. Nothing was taken in');
  if (records.length > MAX_CONTACTS) {
    throw refused(`The file has more than ${MAX_CONTACTS.toLocaleString('en')} contacts. Nothing was taken in`);
  }
  if (header.cells.some(isIllegible)) {
    throw refused('The file is not UTF-8; save it as "CSV UTF-8". Nothing was taken in');
  }
  const columns = columnsOf(header);
  const lines: ContactLine[] = [];
  const faults: LineFault[] = [];
  for (const [index, record] of records.entries()) {
    if (index % LINES_IN_A_TURN === 0) await nextTurn();
    const read = readLine(record, columns);
    if ('faults' in read) faults.push(...read.faults.map((message) => ({ line: record.line, message })));
    else lines.push(read);
  }
  return { lines, faults };
}

/** After so many lines the process, which may be a service, gets a turn for other work. */
const LINES_IN_A_TURN = 1_000;

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** German spreadsheets write semicolons. */
const DELIMITERS = [',', ';', '\t'] as const;

/** The delimiter by which the first line has most columns that are known. */
function delimiterOf(content: string): string {
  const [first = ''] = content.split(/\r?\n/, 1);
  const known = (delimiter: string) => first.split(delimiter).filter((cell) => isColumn(plainCell(cell))).length;
  return DELIMITERS.reduce((best, delimiter) => (known(delimiter) > known(best) ? delimiter : best));
}

/** A cell of the header, which may be quoted. */
const plainCell = (cell: string): string => cell.trim().replaceAll('"', '');

/** True for what was read of another encoding, UTF-16 among them. */
const isIllegible = (cell: string): boolean => /[\u{fffd}\0]/u.test(cell);

const isColumn = (name: string): name is Column => (COLUMNS as readonly string[]).includes(name);

/** Characters that the parser gets at once. */
const PIECE = 256 * 1024;

/** A longer record is no contact: some quote is not closed. */
const MAX_RECORD = 20_000;

/** @throws CommandFailed */
async function recordsOf(content: string, delimiter: string): Promise<CsvRecord[]> {
  const parser = parse({
    delimiter,
    info: true,
    skip_empty_lines: true,
    // The number of cells is checked line by line, so that all faults are told at once.
    relax_column_count: true,
    max_record_size: MAX_RECORD,
    // More than these are refused.
    to: MAX_CONTACTS + 2,
  });
  const records: CsvRecord[] = [];
  const collect = async (
    read: AsyncIterable<{ readonly record: string[]; readonly info: { readonly lines: number } }>,
  ) => {
    for await (const { record, info } of read) {
      const breaks = record.reduce((sum, cell) => sum + cell.split(/\r\n|\r|\n/).length - 1, 0);
      records.push({ line: info.lines - breaks, cells: record.map((cell) => cell.trim()) });
    }
  };
  await pipeline(pieces(content), parser, collect).catch(refuseSyntax);
  return records;
}

/** Between two pieces the process does something else. */
async function* pieces(content: string): AsyncIterable<string> {
  for (let from = 0; from < content.length; from += PIECE) {
    yield content.slice(from, from + PIECE);
    await nextTurn();
  }
}

/** @throws CommandFailed always; the message of the parser would repeat the text */
function refuseSyntax(error: CsvError): never {
  const line = typeof error.lines === 'number' ? `line ${error.lines}` : 'it';
  const reason =
    error.code === 'CSV_MAX_RECORD_SIZE' ? 'has no end' : 'has a quote that is not closed, or stands inside a text';
  throw refused(`The file is no CSV: ${line} ${reason}. Nothing was taken in`);
}

/** @throws CommandFailed listing what is wrong with the header */
function columnsOf({ cells }: CsvRecord): readonly Column[] {
  const names = COLUMNS.join(', ');
  if (!cells.some(isColumn)) {
    // It may be the line of a contact, which is not repeated.
    throw refused(`Nothing was taken in: the first line names none of the columns ${names}, so it is no header`);
  }
  const repeated = new Set(cells.filter((name, index) => cells.indexOf(name) !== index));
  const faults = [
    ...cells
      .filter((name) => !isColumn(name))
      .map((name) => `has the column ${JSON.stringify(name)}, which is none of ${names}${suggestion(name, COLUMNS)}`),
    ...[...repeated].map((name) => `has the column ${JSON.stringify(name)} more than once`),
    ...REQUIRED_FIELDS.filter((name) => !cells.includes(name)).map((name) => `lacks the column ${name}`),
  ];
  if (faults.length === 0) return cells.filter(isColumn);
  const head = 'Nothing was taken in, the first line is no header of contacts. It';
  throw refused([head, ...faults.map((fault) => `  ${fault}`)].join('\n'));
}

function readLine({ line, cells }: CsvRecord, columns: readonly Column[]): ContactLine | { faults: string[] } {
  if (cells.length !== columns.length) {
    return { faults: [`has ${cells.length} cells, and the header ${columns.length}`] };
  }
  if (cells.some(isIllegible)) {
    return { faults: ['has characters that are not UTF-8; save the file as "CSV UTF-8"'] };
  }
  const faults: string[] = [];
  let id: string | null = null;
  const fields: Partial<Record<FieldName, unknown>> = {};
  for (const [index, column] of columns.entries()) {
    const cell = itemAt(cells, index);
    const empty = cell === '';
    if (empty && (column === 'id' || column === 'herkunft' || column === 'status')) continue;
    if (empty && column !== 'id' && isEmptiable(column)) {
      fields[column] = null;
      continue;
    }
    const { data, error } = (column === 'id' ? uuid() : FIELD_SHAPES[column]).safeParse(cell);
    if (error !== undefined)
      faults.push(`${column} ${empty ? 'must not be empty' : error.issues.map(messageOf).join(', ')}`);
    else if (column === 'id') id = data as string;
    else fields[column] = data;
  }
  // Each value was checked by the schema of its field.
  return faults.length === 0 ? { line, id, fields: fields as ContactChange } : { faults };
}

/** Writes faults for people: each fault once, with the numbers of all lines that have it. */
export function faultLines(faults: readonly LineFault[]): string {
  const inOrder = faults.toSorted((one, other) => one.line - other.line);
  return [...Map.groupBy(inOrder, ({ message }) => message)]
    .map(([message, of]) => `  ${of.length === 1 ? 'line' : 'lines'} ${ranges(of.map(({ line }) => line))}: ${message}`)
    .join('\n');
}

/** Writes ascending numbers: `3, 7–9, 12`. */
function ranges(numbers: readonly number[]): string {
  const found: [first: number, last: number][] = [];
  for (const number of numbers) {
    const open = found.at(-1);
    if (open !== undefined && number <= open[1] + 1) open[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}
