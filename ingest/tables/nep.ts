import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '../../runtime/durable-files.ts';
import type { NepRow } from './read-nep.ts';

/**
 * The operator's list of the grid development plan: one file in the warehouse folder, applied by the next build. It is
 * kept in one form, whatever the file that was loaded looked like, so that the build can read it as it is.
 */

const folderOf = (warehouse: string): string => join(warehouse, 'tables');
const pathOf = (warehouse: string): string => join(folderOf(warehouse), 'nep.csv');

/** The file that a build applies; null when none was loaded. */
export const nepFile = (warehouse: string): string | null => (existsSync(pathOf(warehouse)) ? pathOf(warehouse) : null);

export interface LoadedTable {
  readonly name: 'nep';
  readonly rows: number;
  /** RFC 3339, UTC. */
  readonly loadedAt: string;
  /** Beginning of the content's SHA-256, to distinguish lists. */
  readonly digest: string;
}

export function loadedTables(warehouse: string): LoadedTable[] {
  const path = nepFile(warehouse);
  if (path === null) return [];
  const content = readFileSync(path, 'utf8');
  return [
    {
      name: 'nep',
      rows: content.trimEnd().split('\n').length - 1,
      loadedAt: statSync(path).mtime.toISOString(),
      digest: createHash('sha256').update(content).digest('hex').slice(0, 12),
    },
  ];
}

/** Takes a list in, in place of the one before, in one step. */
export function loadNep(warehouse: string, rows: readonly NepRow[]): void {
  mkdirSync(folderOf(warehouse), { recursive: true });
  const lines = rows.map(({ mastrNummer, kraftwerksnummer }) => `${mastrNummer ?? ''},${quoted(kraftwerksnummer)}`);
  writeDurably(pathOf(warehouse), `${['mastrNummer,kraftwerksnummer', ...lines].join('\n')}\n`);
  syncFolder(warehouse);
}

const quoted = (text: string | null): string => (text === null ? '' : `"${text.replaceAll('"', '""')}"`);

/** Takes the list away; false when there was none. */
export function clearNep(warehouse: string): boolean {
  if (nepFile(warehouse) === null) return false;
  rmSync(pathOf(warehouse));
  syncFolder(folderOf(warehouse));
  return true;
}
