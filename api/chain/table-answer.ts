import { SERVED_DATASETS } from '../datasets/served.ts';
import { stateOf } from '../datasets/state.ts';
import type { ImpersonalCall, KeyOperation, OperationResult } from '../operation/operation.ts';
import { CSV, csvText, textOf } from '../representation/csv.ts';
import { type Table, tableForm } from '../representation/table.ts';
import type { Workbook } from '../representation/workbook.ts';
import { XLSX, xlsxBytes } from '../representation/xlsx.ts';

/** Bytes that `Meta` may have: proxies take 8 KiB for all headers, and cursors stand in `Link` too. */
const MAX_META_BYTES = 4096;

/** Writes a result as a table where one is wanted; any other comes back as it is. */
type TableAnswer = (
  result: OperationResult,
  call: Pick<ImpersonalCall, 'dataset' | 'media' | 'table'>,
) => Promise<OperationResult>;

/** @throws Error when no dataset says what is to be attributed */
export function tableAnswers({ id, path, table, answer }: KeyOperation): TableAnswer {
  if (table === undefined || answer === null) return async (result) => result;
  const form = tableForm(answer, table);
  const served = SERVED_DATASETS.find(({ endpoints }) => endpoints.includes(path));
  if (served === undefined) throw new Error(`${id} has a table, but is in no dataset of datasets/served.ts`);
  const fileName = `${id.replaceAll('.', '-')}.xlsx`;
  return async (result, { dataset, media, table: wish }) => {
    if (media !== CSV && media !== XLSX) return result;
    const asOf = result.asOf ?? (await stateOf(served, dataset())).asOf;
    const licensed = served.origin.licensed(asOf, served.changes);
    const source = licensed.quellenvermerk;
    const filled = { ...form.fill(result.body, result.columns), ...result.table };
    const answered = {
      ...result,
      media,
      headers: { ...result.headers, Quelle: sourceHeader(source), Meta: metaHeader(filled.beside) },
      rowCount: filled.rows.length,
    };
    if (media === XLSX) {
      const told = sourceSheet(filled, { ...licensed, asOf, request: wish.request, goesOn: goesOn(result) });
      return {
        ...answered,
        headers: { ...answered.headers, 'Content-Disposition': `attachment; filename="${fileName}"` },
        body: await xlsxBytes(workbookOf(filled, told)),
      };
    }
    const names = filled.columns.map(({ name }) => name);
    // Every record has as many cells as the first, else readers refuse the file.
    const last = wish.withSource ? [[source, ...names.slice(1).map(() => null)]] : [];
    return { ...answered, body: csvText([names, ...filled.rows, ...last], wish.dialect) };
  };
}

const goesOn = ({ page }: OperationResult): boolean => page?.next != null;

/** A list in a cell is written as in a query, as in CSV. */
const workbookOf = ({ columns, rows }: Table, source: Workbook['source']): Workbook => ({
  columns,
  rows: rows.map((row) => row.map((value) => (typeof value === 'object' && value !== null ? textOf(value) : value))),
  source,
});

function sourceSheet(
  { rows }: Table,
  told: {
    readonly asOf: string | null;
    readonly lizenzHinweis: string;
    readonly quellenvermerk: string;
    readonly request: string | null;
    readonly goesOn: boolean;
  },
): Workbook['source'] {
  return [
    ['Quelle', told.quellenvermerk.replace(/^Quelle: /, '')],
    ['Lizenz', told.lizenzHinweis],
    ['Stand der Daten', told.asOf],
    ['Anfrage', told.request],
    ['Zeilen', rows.length],
    ['Weitere Seiten', told.goesOn ? 'ja: eine Datei hat eine Seite der Liste' : 'nein'],
  ];
}

const ASCII: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  '–': '-',
  '§': 'Paragraf',
};

/** Writes the sentence in the characters that a header may have, without the name that the header has already. */
const sourceHeader = (sentence: string): string =>
  sentence.replace(/^Quelle: /, '').replaceAll(/[^ -~]/g, (character) => ASCII[character] ?? '?');

/** Writes members as JSON in ASCII; those for which there is no room are left out. */
function metaHeader(members: Readonly<Record<string, unknown>>): string {
  const written: string[] = [];
  let bytes = 2;
  for (const [name, value] of Object.entries(members)) {
    const member = inAscii(JSON.stringify({ [name]: value }).slice(1, -1));
    if (bytes + member.length + 1 > MAX_META_BYTES) continue;
    bytes += member.length + 1;
    written.push(member);
  }
  return `{${written.join(',')}}`;
}

const inAscii = (json: string): string =>
  json.replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
