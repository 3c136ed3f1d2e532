import { requireStagedTable } from '../stage/tables.ts';

/** The records of the export on which units depend, each with a hash: by comparing them a night finds what has changed. */

export interface RecordTable {
  /** The staged table. */
  readonly table: string;
  /** Selects the columns on which units depend; the place of a record in the export is none. */
  readonly columns: string;
}

const ALL_COLUMNS = '* EXCLUDE (_datei, _zeile)';

/** Of actors, units read the name, and the grids that they operate. */
const OF_ACTORS = ['Personenart_id', 'Firmenname', 'Netz'];

export const RECORDS: readonly RecordTable[] = [
  ...['einheit', 'eeg', 'kwk', 'speicher', 'genehmigung', 'lokation', 'punkt', 'bilanzierungsgebiet', 'geloescht'].map(
    (table) => ({ table, columns: ALL_COLUMNS }),
  ),
  { table: 'akteur', columns: `[${OF_ACTORS.map((name) => `'${name}'`).join(', ')}]` },
];

/** Selects number and hash of the records of a staged table; of several with one key, of the one that counts. */
export const recordsOf = ({ table, columns }: RecordTable): string =>
  `SELECT ${requireStagedTable(table).key} AS nummer, hash(*COLUMNS(${columns})) AS hash FROM ${table}`;

/** The statement that keeps the records of a staged table in the version. */
export const keepRecords = (record: RecordTable): string =>
  `INSERT INTO saetze SELECT '${record.table}', * FROM (${recordsOf(record)})`;
