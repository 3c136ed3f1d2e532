import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tenderId } from '../../sql/tenders/technologies.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { ListRefused } from './list.ts';
import { loadedCalendar } from './loaded.ts';
import { readTenderFile } from './read-file.ts';
import { type ReadRound, readRounds } from './read-rounds.ts';
import type { TenderFinding } from './round.ts';
import {
  type FailedLoad,
  failedLoads,
  type StoredRound,
  storedRound,
  storedRounds,
  storeFailures,
  storeRound,
} from './store.ts';

/** Loads award lists and figures of rounds into a warehouse folder, where the next build takes them. */

/** The outcome for a file. */
export interface FileOutcome {
  /** Without its folder. */
  readonly file: string;
  readonly outcome: 'loaded' | 'unchanged' | 'refused';
  readonly rounds: readonly number[];
  /** Awards of its list; null for a file of figures. */
  readonly awards: number | null;
  readonly findings: readonly TenderFinding[];
  /** The reason why it was refused; null when it was loaded. */
  readonly reason: string | null;
}

/** A folder with more files is not one of lists. */
const MAX_FILES = 3000;

const LISTS = /\.(xlsx|csv|txt)$/i;

/** Files that office programs put beside an open one. */
const OF_EDITORS = /^(~\$|\.)/;

/**
 * The files that are meant, in their order: those that are named, and the tables in the folders that are.
 * @throws BuildRefused when one is missing
 */
export function filesOf(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw new BuildRefused(`${path} cannot be read: there is no such file or folder`);
    if (stat.isFile()) return [path];
    if (!stat.isDirectory()) throw new BuildRefused(`${path} is neither a file nor a folder`);
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && LISTS.test(entry.name) && !OF_EDITORS.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  });
  if (files.length === 0)
    throw new BuildRefused(`${paths.join(', ')} has no lists: no file that ends with .xlsx or .csv`);
  if (files.length > MAX_FILES)
    throw new BuildRefused(`${files.length} files are too many; at most ${MAX_FILES} are read`);
  return [...new Set(files)];
}

/**
 * Reads files one by one and stores their rounds. A file that is refused changes nothing but the record of failures;
 * the others are loaded. The caller holds the lock of the warehouse.
 * @param day of today; the calendar goes on to the end of the year after it
 */
export async function loadTenders(
  warehouse: string,
  files: readonly string[],
  { dryRun, day }: { dryRun: boolean; day: string },
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const failures: FailedLoad[] = [];
  const calendar = loadedCalendar(storedRounds(warehouse), day);
  for (const path of files) {
    try {
      const rounds = readRounds(await readTenderFile(path), calendar);
      outcomes.push(store(warehouse, basename(path), rounds, dryRun));
    } catch (error) {
      const failure = failureOf(error, path);
      failures.push(failure);
      outcomes.push({
        ...{ file: failure.datei, outcome: 'refused', awards: null, findings: [], reason: failure.grund },
        rounds: failure.gebotstermin === null ? [] : [failure.gebotstermin],
      });
    }
  }
  if (!dryRun) storeFailures(warehouse, stillFailed(failedLoads(warehouse), outcomes, failures));
  return outcomes;
}

function store(warehouse: string, file: string, rounds: readonly ReadRound[], dryRun: boolean): FileOutcome {
  let changed = false;
  for (const { key, liste, statistik } of rounds) {
    const id = tenderId(key);
    const before = storedRound(warehouse, id);
    const next: StoredRound = {
      ...{ id, technologie: key.technologie, verfahren: key.verfahren, datum: key.datum },
      liste: liste ?? before?.liste ?? null,
      statistik: statistik ?? before?.statistik ?? null,
    };
    if (dryRun) changed ||= JSON.stringify(before) !== JSON.stringify(next);
    else if (storeRound(warehouse, next)) changed = true;
  }
  const lists = rounds.flatMap(({ liste }) => liste ?? []);
  return {
    file,
    outcome: changed ? 'loaded' : 'unchanged',
    rounds: rounds.map(({ key }) => tenderId(key)),
    awards: lists.length === 0 ? null : lists.reduce((sum, { zuschlaege }) => sum + zuschlaege.length, 0),
    findings: rounds.flatMap(({ liste, statistik }) => [...(liste?.befunde ?? []), ...(statistik?.befunde ?? [])]),
    reason: null,
  };
}

/** Errors of content are the file's; others, such as a full disk, end the command. */
function failureOf(error: unknown, path: string): FailedLoad {
  const datei = basename(path);
  const round = error instanceof ListRefused ? error.key : null;
  if (error instanceof BuildRefused) {
    return { datei, grund: error.message, gebotstermin: round === null ? null : tenderId(round), round };
  }
  if (error instanceof ArchiveError) {
    return {
      datei,
      grund: 'it is no complete workbook: the file is cut off or damaged',
      gebotstermin: null,
      round: null,
    };
  }
  throw error;
}

/** A failure is over when its file or a list of its round was loaded. */
function stillFailed(
  before: readonly FailedLoad[],
  outcomes: readonly FileOutcome[],
  failures: readonly FailedLoad[],
): FailedLoad[] {
  const files = new Set(outcomes.map(({ file }) => file));
  const loaded = new Set(
    outcomes.flatMap(({ outcome, awards, rounds }) => (outcome !== 'refused' && awards !== null ? rounds : [])),
  );
  return [...before.filter(({ datei }) => !files.has(datei)), ...failures]
    .filter(({ gebotstermin }) => gebotstermin === null || !loaded.has(gebotstermin))
    .toSorted((a, b) => (a.datei < b.datei ? -1 : 1));
}
