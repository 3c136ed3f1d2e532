import { warehouseText } from '../duckdb/sql-files.ts';
import { requireStagedTable } from '../stage/tables.ts';

/** The records of the export on which units depend, each with a hash: by comparing them a night finds what has changed. */

export interface RecordTable {
  /** The staged table. */
  readonly table: string;
  /** Selects the columns on which units depend; the place of a record in the export is none. */
  readonly columns: string;
  /** How other units than those of a record depend on it: not at all, on anything, or by what these statements read. */
  readonly others: 'none' | 'all' | readonly string[];
}

const ALL_COLUMNS = '* EXCLUDE (_datei, _zeile)';

/** Of actors, units read the name, and the grids that they operate. */
const OF_ACTORS = ['Personenart_id', 'Firmenname', 'Netz'];

/** They find out what plants have in common. */
const ACROSS_PLANTS = ['eeg-shared.sql', 'eeg-before.sql'];

/** They read units together with others; and those that are not served are missing there. */
const ACROSS_UNITS = [
  ...ACROSS_PLANTS,
  ...['eeg-plants.sql', 'twin-units.sql', 'sites.sql', 'storage-plants.sql', 'served-units.sql'],
];

export const RECORDS: readonly RecordTable[] = [
  { table: 'einheit', columns: ALL_COLUMNS, others: ACROSS_UNITS },
  { table: 'eeg', columns: ALL_COLUMNS, others: ACROSS_PLANTS },
  ...['speicher', 'geloescht'].map((table) => ({ table, columns: ALL_COLUMNS, others: 'all' }) as const),
  // What stands at one location, or at one point, is found by these records themselves (night-touched.sql).
  ...['kwk', 'genehmigung', 'lokation', 'punkt', 'bilanzierungsgebiet'].map(
    (table) => ({ table, columns: ALL_COLUMNS, others: 'none' }) as const,
  ),
  { table: 'akteur', columns: listOf(OF_ACTORS), others: 'none' },
];

/** Selects number and hashes of the records of a staged table; of several with one key, of the one that counts. */
export const recordsOf = ({ table, columns, others }: RecordTable): string =>
  `SELECT ${requireStagedTable(table).key} AS nummer, hash(*COLUMNS(${columns})) AS hash,
    ${typeof others === 'string' ? 'NULL::UBIGINT' : `hash(*COLUMNS(${listOf(columnsRead(table, others))}))`} AS wirkung
  FROM ${table}`;

/** The statement that keeps the records of a staged table in the version. */
export const keepRecords = (record: RecordTable): string =>
  `INSERT INTO saetze SELECT '${record.table}', * FROM (${recordsOf(record)})`;

/** The columns of a staged table that occur in these files of statements, of whichever table they are there. */
function columnsRead(name: string, files: readonly string[]): string[] {
  const { elements, ids, key, limits = [] } = requireStagedTable(name);
  const columns = [...(key === null ? [] : [key]), ...elements, ...ids.map((id) => `${id}_id`)];
  const words = new Set(files.flatMap((file) => warehouseText(file).match(/\w+/g) ?? []));
  return [...new Set(['_art', ...columns, ...limits.map(({ column }) => column)])].filter((one) => words.has(one));
}

function listOf(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}
