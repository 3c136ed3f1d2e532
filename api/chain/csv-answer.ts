import { SERVED_DATASETS } from '../datasets/served.ts';
import { stateOf } from '../datasets/state.ts';
import type { ImpersonalCall, KeyOperation, OperationResult } from '../operation/operation.ts';
import { CSV, csvText } from '../representation/csv.ts';
import { tableForm } from '../representation/table.ts';

/** Bytes that `Meta` may have: proxies take 8 KiB for all headers, and cursors stand in `Link` too. */
const MAX_META_BYTES = 4096;

/** Writes a result as CSV. */
type CsvAnswer = (result: OperationResult, call: Pick<ImpersonalCall, 'csv' | 'dataset'>) => Promise<OperationResult>;

/**
 * @returns a function that writes the result of the operation as CSV; null for an operation without a table
 * @throws Error when no dataset says what is to be attributed
 */
export function csvAnswers({ id, path, table, answer }: KeyOperation): CsvAnswer | null {
  if (table === undefined || answer === null) return null;
  const form = tableForm(answer, table);
  const served = SERVED_DATASETS.find(({ endpoints }) => endpoints.includes(path));
  if (served === undefined) throw new Error(`${id} has a table, but is in no dataset of datasets/served.ts`);
  return async (result, { csv, dataset }) => {
    const { asOf } = await stateOf(served, dataset());
    const source = served.origin.licensed(asOf, served.changes).quellenvermerk;
    const { records, rowCount, columnCount, beside } = form.fill(result.body, result.columns);
    // Every record has as many cells as the first, else readers refuse the file.
    const last = csv.withSource ? [[source, ...Array<null>(columnCount - 1).fill(null)]] : [];
    return {
      ...result,
      media: CSV,
      headers: { ...result.headers, Quelle: sourceHeader(source), Meta: metaHeader(beside) },
      rowCount,
      body: csvText([...records, ...last], csv.dialect),
    };
  };
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
