import { day } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { type ApiRequest, addressOf, methodOf } from '../v1/request.ts';
import { fileName, saveFile } from './download.ts';
import { csvOf, type Table } from './table.ts';

/** The kinds of files that a table is saved as, as buttons name them. */
export const TABLE_FILES = ['CSV', 'XLSX'] as const;

export type TableFile = (typeof TABLE_FILES)[number];

/** What a file says of itself beside its rows. */
export interface Origin {
  readonly title: string;
  /** The page with its filters in words. */
  readonly page: string;
  /** The day of the data, YYYY-MM-DD; null = they have none. */
  readonly asOf: string | null;
  /** A remark without which the rows would be read wrongly, such as whose inhabitants are counted; empty = none. */
  readonly note?: string;
  readonly source: string;
  readonly requests: readonly ApiRequest[];
  /** Address of the service, with a slash at the end. */
  readonly root: string;
}

/** Saves a table as a file. CSV names its source in the last line; a workbook has a sheet for that, with the requests. */
export async function saveTable(kind: TableFile, table: Table, origin: Origin): Promise<void> {
  const { title, page, note = '', source } = origin;
  const content =
    kind === 'CSV'
      ? new Blob([csvOf(table, [page, note, source].filter(Boolean).join(' · '))], { type: 'text/csv;charset=utf-8' })
      : await (await import('./workbook.ts')).workbookOf(table, told(origin));
  saveFile(`${fileName(title)}.${kind.toLowerCase()}`, content);
}

const told = ({ title, page, asOf, note = '', source, requests, root }: Origin): [string, string][] => [
  [say('Inhalt', 'Content'), title],
  [say('Auswahl', 'Selection'), page],
  ...(asOf === null ? [] : [[say('Stand', 'As of'), day(asOf)] satisfies [string, string]]),
  ...(note === '' ? [] : [[say('Hinweis', 'Remark'), note] satisfies [string, string]]),
  [say('Quelle', 'Source'), source],
  ...requests.map((request): [string, string] => [say('Anfrage', 'Request'), written(request, root)]),
];

const written = (request: ApiRequest, root: string): string =>
  `${methodOf(request)} ${root.replace(/\/$/, '')}${addressOf(request)}${request.body === undefined ? '' : ` ${JSON.stringify(request.body)}`}`;
