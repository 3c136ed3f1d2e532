import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '../../runtime/durable-files.ts';
import type { CalendarRound } from '../../sql/tenders/calendar.ts';
import type { TenderKey } from '../../sql/tenders/technologies.ts';
import type { ListedAward, RoundFigures, TenderFinding } from './round.ts';

/**
 * The tenders that an operator loaded: a file for each round in the warehouse folder, `tenders/2017050110.json`. Builds
 * read these files. A file has no times and no file names but those of its sources, so that loading a list again leaves
 * it as it is, byte by byte.
 */

/** The loaded content of a round. */
export interface StoredRound extends TenderKey {
  readonly id: number;
  /** The award lists in the order in which they were loaded. */
  readonly listen: readonly StoredList[];
  /** The figures of a workbook or overview; null when only a list was loaded. */
  readonly statistik: StoredFigures | null;
}

export interface StoredList {
  readonly quelle: string;
  /** SHA-256 of the file. */
  readonly pruefsumme: string;
  readonly bekanntgabe: string | null;
  /** The codes and dates that the list itself names. */
  readonly kalender: readonly CalendarRound[];
  readonly zuschlaege: readonly ListedAward[];
  readonly befunde: readonly TenderFinding[];
}

export interface StoredFigures extends RoundFigures {
  readonly quelle: string;
  readonly befunde: readonly TenderFinding[];
}

/** A file that was refused when it was last loaded. */
export interface FailedLoad {
  /** Name of the file, without its folder. */
  readonly datei: string;
  readonly grund: string;
  /** The round that it is of, as far as it can be told. */
  readonly gebotstermin: number | null;
  readonly round: TenderKey | null;
}

const folderOf = (warehouse: string): string => join(warehouse, 'tenders');
const roundFile = (warehouse: string, id: number): string => join(folderOf(warehouse), `${id}.json`);
const failuresFile = (warehouse: string): string => join(folderOf(warehouse), 'failed.json');

/** All rounds of which something is loaded, by id. */
export function storedRounds(warehouse: string): StoredRound[] {
  const folder = folderOf(warehouse);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d{10}\.json$/.test(name))
    .sort()
    .map((name) => roundIn(join(folder, name)));
}

export function storedRound(warehouse: string, id: number): StoredRound | null {
  const path = roundFile(warehouse, id);
  return existsSync(path) ? roundIn(path) : null;
}

export const failedLoads = (warehouse: string): FailedLoad[] =>
  existsSync(failuresFile(warehouse)) ? (readStored(failuresFile(warehouse)) as FailedLoad[]) : [];

/** A round of a store from before rounds had several lists has its only one in `liste`, which counted its awards itself. */
function roundIn(path: string): StoredRound {
  const { liste, ...round } = readStored(path) as StoredRound & { readonly liste?: StoredList | null };
  if (liste === undefined) return round;
  const { id, technologie, verfahren, datum, statistik } = round;
  const befunde = liste?.befunde.filter(({ feld }) => feld !== 'zuschlaege') ?? [];
  return { id, technologie, verfahren, datum, listen: liste === null ? [] : [{ ...liste, befunde }], statistik };
}

function readStored(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read (${error instanceof Error ? error.message : error}); load its round again`);
  }
}

/** Stores a round in place of its former content. @returns false when the same is stored already, byte by byte */
export const storeRound = (warehouse: string, round: StoredRound): boolean =>
  write(warehouse, roundFile(warehouse, round.id), round);

/** Replaces the record of refused files; the file goes when there are none. */
export function storeFailures(warehouse: string, failures: readonly FailedLoad[]): void {
  if (failures.length > 0) write(warehouse, failuresFile(warehouse), failures);
  else if (existsSync(failuresFile(warehouse))) remove(failuresFile(warehouse));
}

/** Removes the loaded content of a round; false when there was none. */
export function removeRound(warehouse: string, id: number): boolean {
  const path = roundFile(warehouse, id);
  if (!existsSync(path)) return false;
  remove(path);
  return true;
}

function write(warehouse: string, path: string, content: object): boolean {
  const text = `${JSON.stringify(content, null, 1)}\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  mkdirSync(folderOf(warehouse), { recursive: true });
  writeDurably(path, text);
  syncFolder(warehouse);
  return true;
}

function remove(path: string): void {
  rmSync(path);
  syncFolder(join(path, '..'));
}
