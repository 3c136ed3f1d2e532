import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '../../runtime/durable-files.ts';

/**
 * Tables of the operator: the list of the grid development plan, and a newer list of places than that of the product. Each is one
 * file in the warehouse folder, which the next build applies. It is kept in one form, whatever the file that was loaded looked like, so
 * that the build can read it as it is.
 */
const OPERATOR_TABLES = ['nep', 'places'] as const;

export type OperatorTable = (typeof OPERATOR_TABLES)[number];

const folderOf = (warehouse: string): string => join(warehouse, 'tables');
const pathOf = (warehouse: string, table: OperatorTable): string => join(folderOf(warehouse), `${table}.csv`);

/** The file that a build applies; null when none was loaded. */
export function tableFile(warehouse: string, table: OperatorTable): string | null {
  const path = pathOf(warehouse, table);
  return existsSync(path) ? path : null;
}

export interface LoadedTable {
  readonly name: OperatorTable;
  readonly rows: number;
  /** RFC 3339, UTC. */
  readonly loadedAt: string;
  /** Beginning of the content's SHA-256, to distinguish lists. */
  readonly digest: string;
}

export const loadedTables = (warehouse: string): LoadedTable[] =>
  OPERATOR_TABLES.flatMap((name) => {
    const path = tableFile(warehouse, name);
    if (path === null) return [];
    const content = readFileSync(path, 'utf8');
    return [
      {
        name,
        rows: content.trimEnd().split('\n').length - 1,
        loadedAt: statSync(path).mtime.toISOString(),
        digest: createHash('sha256').update(content).digest('hex').slice(0, 12),
      },
    ];
  });

/** Takes a table in, in place of the one before, in one step. @param rows the header first; null is an empty cell */
export function loadTable(
  warehouse: string,
  table: OperatorTable,
  rows: readonly (readonly (string | number | null)[])[],
): void {
  mkdirSync(folderOf(warehouse), { recursive: true });
  const lines = rows.map((cells) => cells.map(written).join(','));
  writeDurably(pathOf(warehouse, table), `${lines.join('\n')}\n`);
  syncFolder(warehouse);
}

const written = (cell: string | number | null): string => {
  const text = String(cell ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Takes a table away; false when there was none. */
export function clearTable(warehouse: string, table: OperatorTable): boolean {
  if (tableFile(warehouse, table) === null) return false;
  rmSync(pathOf(warehouse, table));
  syncFolder(folderOf(warehouse));
  return true;
}
