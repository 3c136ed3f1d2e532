/** Tables as files: workbooks (xlsx) of a handful of XML parts, and comma separated text. */

import { open } from 'node:fs/promises';
import { crc32, deflateRawSync } from 'node:zlib';
import { ZipWriter } from '../archive/zip.ts';
import { escapeText } from '../world/text.ts';

/** A day, days since 1970-01-01, which a workbook stores as a number with a format. */
interface DayCell {
  readonly day: number;
}

export type Cell = string | number | DayCell | undefined;

export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  /** Ranges of merged cells: `E7:G7`. */
  readonly merged?: readonly string[];
}

/** The place of the texts of a workbook: the cells, or a table that they point to, as spreadsheet programs write it. */
export type Strings = 'inline' | 'shared';

/** Days from the epoch of workbooks, 1899-12-30, to 1970-01-01. */
const EPOCH = 25_569;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Name of a column: A, B … Z, AA. */
function columnName(index: number): string {
  const rest = String.fromCharCode(65 + (index % 26));
  return index < 26 ? rest : columnName(Math.floor(index / 26) - 1) + rest;
}

class SharedStrings {
  readonly #ids = new Map<string, number>();
  #uses = 0;

  idOf(text: string): number {
    this.#uses++;
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    return id;
  }

  get part(): string {
    const texts = [...this.#ids.keys()].map((text) => `<si>${textElement(text)}</si>`).join('');
    return `${DECLARATION}<sst xmlns="${MAIN}" count="${this.#uses}" uniqueCount="${this.#ids.size}">${texts}</sst>`;
  }
}

function textElement(text: string): string {
  return `<t xml:space="preserve">${escapeText(text).replaceAll('\n', '&#10;')}</t>`;
}

function sheetPart({ rows, merged = [] }: Sheet, shared: SharedStrings | undefined): string {
  const cells = (row: readonly Cell[], r: number): string =>
    row
      .map((cell, c) => {
        const at = `r="${columnName(c)}${r + 1}"`;
        if (cell === undefined) return '';
        if (typeof cell === 'number') return `<c ${at}><v>${cell}</v></c>`;
        if (typeof cell === 'object') return `<c ${at} s="1"><v>${cell.day + EPOCH}</v></c>`;
        return shared === undefined
          ? `<c ${at} t="inlineStr"><is>${textElement(cell)}</is></c>`
          : `<c ${at} t="s"><v>${shared.idOf(cell)}</v></c>`;
      })
      .join('');
  const data = rows.map((row, r) => (row.length === 0 ? '' : `<row r="${r + 1}">${cells(row, r)}</row>`)).join('');
  const merges =
    merged.length === 0
      ? ''
      : `<mergeCells count="${merged.length}">${merged.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;
  return `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData>${merges}</worksheet>`;
}

/** Two cell formats: general, and day. */
const STYLES =
  `${DECLARATION}<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>` +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="2"><xf xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>';

function partsOf(sheets: readonly Sheet[], strings: Strings): [name: string, content: string][] {
  const shared = strings === 'shared' ? new SharedStrings() : undefined;
  const bodies = sheets.map((sheet) => sheetPart(sheet, shared));
  const type = (part: string, kind: string): string =>
    `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
  const relation = (id: number, kind: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
  const relations = (content: string): string =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${content}</Relationships>`;
  const count = sheets.length;
  return [
    [
      '[Content_Types].xml',
      `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/>${type('workbook', 'sheet.main')}${type('styles', 'styles')}` +
        `${shared ? type('sharedStrings', 'sharedStrings') : ''}${sheets.map((_, i) => type(`worksheets/sheet${i + 1}`, 'worksheet')).join('')}</Types>`,
    ],
    ['_rels/.rels', relations(relation(1, 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets
        .map(({ name }, i) => `<sheet name="${escapeText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        sheets.map((_, i) => relation(i + 1, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('') +
          relation(count + 1, 'styles', 'styles.xml') +
          (shared ? relation(count + 2, 'sharedStrings', 'sharedStrings.xml') : ''),
      ),
    ],
    ['xl/styles.xml', STYLES],
    ...(shared ? [['xl/sharedStrings.xml', shared.part] as [string, string]] : []),
    ...bodies.map((body, i): [string, string] => [`xl/worksheets/sheet${i + 1}.xml`, body]),
  ];
}

/** Writes a workbook. `day` (days since 1970-01-01) dates its parts, so the same tables give the same bytes. */
export async function writeWorkbook(
  path: string,
  sheets: readonly Sheet[],
  strings: Strings,
  day: number,
): Promise<void> {
  const file = await open(path, 'w');
  try {
    const zip = new ZipWriter(file);
    for (const [name, content] of partsOf(sheets, strings)) {
      const bytes = Buffer.from(content, 'utf8');
      await zip.add(name, crc32(bytes), bytes.length, [deflateRawSync(bytes, { level: 9 })], day, 0);
    }
    await zip.finish('');
  } finally {
    await file.close();
  }
}

/** Encodings in which copies of the lists are found. */
export type Encoding = 'utf-8' | 'utf-8 with mark' | 'windows-1252';

/** Table as text with semicolons; numbers have a decimal comma. */
export function csvBytes({ rows }: Pick<Sheet, 'rows'>, encoding: Encoding): Buffer {
  const field = (cell: Cell): string => {
    if (cell === undefined) return '';
    const text =
      typeof cell === 'number'
        ? String(cell).replace('.', ',')
        : typeof cell === 'string'
          ? cell
          : new Date(cell.day * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('.');
    return /[";\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const text = rows.map((row) => `${row.map(field).join(';')}\r\n`).join('');
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1');
  return Buffer.from(encoding === 'utf-8' ? text : `\ufeff${text}`, 'utf8');
}
