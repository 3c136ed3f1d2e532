import { day, dayOfText, firstDayOfPeriod } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { exact } from '../format/numbers.ts';
import type { Cell, Table } from './table.ts';
import { zipOf } from './zip.ts';

/** Workbooks of Excel (Office Open XML, ECMA-376): what CSV has, with types, and a second sheet that tells where it is from. */

const MEDIA = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What the second sheet says, and it. */
export type Told = readonly (readonly [string, string])[];

/** Writes a table as a workbook. It is loaded when the first one is asked for. */
export async function workbookOf({ columns, rows }: Table, told: Told): Promise<Blob> {
  const header = columns.map(({ name, unit }) => (unit === undefined ? name : `${name} (${unit})`));
  const parts = {
    ...FRAME,
    'xl/worksheets/sheet1.xml': sheet(
      header.map((name) => Math.max(12, name.length + 2)),
      [
        header.map(heading),
        ...rows.map((values) =>
          values.map((value, at) => (columns[at]?.isPeriod === true ? periodCell(value) : cell(value))),
        ),
      ],
    ),
    'xl/worksheets/sheet2.xml': sheet(
      [20, 100],
      told.map(([name, text]) => [heading(name), cell(text)]),
    ),
  };
  return new Blob([await zipOf(parts)], { type: MEDIA });
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relations = (...targets: readonly (readonly [type: string, target: string])[]): string =>
  `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** The parts that are the same in each workbook. Its styles: as it is, bold, and day, in the form of the reader's country. */
const FRAME: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${say('Daten', 'Data')}" sheetId="1" r:id="rId1"/><sheet name="${say('Quelle', 'Source')}" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations(
    ['worksheet', 'worksheets/sheet1.xml'],
    ['worksheet', 'worksheets/sheet2.xml'],
    ['styles', 'styles.xml'],
  ),
  'xl/styles.xml': `${DECLARATION}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};

/** @param rows cells as `cell` and `heading` write them */
const sheet = (widths: readonly number[], rows: readonly (readonly string[])[]): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}"><cols>${widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>${rows.map(row).join('')}</sheetData></worksheet>`;

/** A row of cells, each with its address, without which some readers cannot place it. */
const row = (cells: readonly string[], above: number): string =>
  `<row r="${above + 1}">${cells.map((one, at) => `<c r="${columnName(at)}${above + 1}"${one.slice(2)}`).join('')}</row>`;

/** A, B … Z, AA … */
const columnName = (at: number): string =>
  (at < 26 ? '' : columnName(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

/** A text in a cell is never a formula: that would be an element of its own. */
const textCell = (text: string, style = ''): string =>
  text === '' ? '<c/>' : `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

const heading = (text: string): string => textCell(text, ' s="1"');

function cell(value: Cell): string {
  if (value === null) return '<c/>';
  if (typeof value === 'number') return Number.isFinite(value) ? `<c><v>${exact(value)}</v></c>` : '<c/>';
  const number = dayNumber(value);
  return number === null ? textCell(value) : `<c s="2"><v>${number}</v></c>`;
}

/** Years are numbers, quarters and months their first days: so they can be sorted and drawn. */
function periodCell(value: Cell): string {
  const text = String(value ?? '');
  if (/^\d{4}$/.test(text)) return cell(Number(text));
  const first = firstDayOfPeriod(text);
  return cell(first === null ? value : day(first));
}

const MILLISECONDS_OF_A_DAY = 86_400_000;

/** Spreadsheets count from 1900 on, and take that year for a leap year: earlier days would move, and stay texts. */
const FIRST_DAY = Date.UTC(1900, 2, 1);
const DAY_BEFORE_THE_COUNT = Date.UTC(1899, 11, 30);

/** The number by which spreadsheets know a day that is written as on the pages; null for any other text. */
function dayNumber(text: string): number | null {
  const written = dayOfText(text);
  const time = written === null ? Number.NaN : Date.parse(written);
  return !(time >= FIRST_DAY) ? null : (time - DAY_BEFORE_THE_COUNT) / MILLISECONDS_OF_A_DAY;
}

/** Characters that a cell may have; a longer text makes the whole file one that Excel wants to repair. */
const MOST_CHARACTERS = 32_767;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Writes a text for XML: what looks like the code of a character by its own code, and without what XML cannot have. */
const escaped = (text: string): string =>
  text
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are meant
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
