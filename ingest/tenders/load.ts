import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tenderId } from '../../sql/tenders/technologies.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { TenderFindings } from './findings.ts';
import { ListRefused } from './list.ts';
import { awardsOf, findingsOf, isEarlierForm, type ReplacedList } from './lists-of-round.ts';
import { loadedCalendar } from './loaded.ts';
import { readTenderFile } from './read-file.ts';
import { type ReadRound, readRounds } from './read-rounds.ts';
import { referenceRounds } from './reference.ts';
import type { TenderFinding } from './round.ts';
import {
  type FailedLoad,
  failedLoads,
  removeRound,
  type StoredList,
  type StoredRound,
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
  /** Those of them that another list of their round has, too. */
  readonly elsewhere: number;
  /** The lists in whose place its list came. */
  readonly replaced: readonly ReplacedList[];
  readonly findings: readonly TenderFinding[];
  /** The reason why it was refused; null when it was loaded. */
  readonly reason: string | null;
}

/** A folder with more files is not one of lists. */
const MAX_FILES = 3000;

const LISTS = /\.(xlsx|csv|txt|md)$/i;

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
    throw new BuildRefused(`${paths.join(', ')} has no lists: no file that ends with .xlsx, .csv, .txt or .md`);
  if (files.length > MAX_FILES)
    throw new BuildRefused(`${files.length} files are too many; at most ${MAX_FILES} are read`);
  return [...new Set(files)];
}

/** What a call of `tenders load` asks for. */
export interface LoadOptions {
  readonly dryRun: boolean;
  /** Today; the calendar goes on to the end of the year after it, and no awards are of a later day. */
  readonly day: string;
  /** Lists of the same rounds that were loaded before this call are taken away. */
  readonly replace?: boolean;
}

/**
 * Reads files one by one and stores their rounds. A file that is refused changes nothing but the record of failures;
 * the others are loaded. The caller holds the lock of the warehouse.
 */
export async function loadTenders(
  warehouse: string,
  files: readonly string[],
  { dryRun, day, replace = false }: LoadOptions,
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const failures: FailedLoad[] = [];
  const store = new LoadedRounds(storedRounds(warehouse), replace);
  for (const path of files) {
    try {
      const rounds = readRounds(await readTenderFile(path), loadedCalendar(store.rounds, day));
      refuseAhead(rounds, day);
      const { outcome, changed } = store.take(
        basename(path),
        rounds.map((round) => withoutResultAhead(round, day)),
      );
      outcomes.push(outcome);
      if (!dryRun) for (const round of changed) keep(warehouse, round);
    } catch (error) {
      const failure = failureOf(error, path);
      failures.push(failure);
      outcomes.push({
        ...{
          file: failure.datei,
          outcome: 'refused',
          awards: null,
          elsewhere: 0,
          replaced: [],
          findings: [],
          reason: failure.grund,
        },
        rounds: failure.gebotstermin === null ? [] : [failure.gebotstermin],
      });
    }
  }
  if (!dryRun) storeFailures(warehouse, stillFailed(failedLoads(warehouse), outcomes, failures));
  return outcomes;
}

const keep = (warehouse: string, round: StoredRound): boolean =>
  isEmpty(round) ? removeRound(warehouse, round.id) : storeRound(warehouse, round);

const isEmpty = ({ listen, statistik }: StoredRound): boolean => listen.length === 0 && statistik === null;

/** Nobody has won before the bids are in: a typing error in the title or in the numbers, or another file. */
function refuseAhead(rounds: readonly ReadRound[], day: string): void {
  const ahead = rounds.find(({ key, liste }) => liste !== null && key.datum > day);
  if (ahead === undefined) return;
  throw new ListRefused(
    `it has awards of the bid date ${ahead.key.datum}, which is still to come: see to the date in its title and to its award numbers`,
    null,
  );
}

/** A round's offer is announced before its day. Its result cannot be known then, whatever a workbook says. */
function withoutResultAhead(round: ReadRound, day: string): ReadRound {
  const { key, statistik } = round;
  if (statistik === null || key.datum <= day) return round;
  const { quelle, befunde, volumenAusgeschriebenKw, hoechstwertCtKwh, ...results } = statistik;
  const findings = new TenderFindings();
  for (const [figure, value] of Object.entries(results)) {
    if (value !== null)
      findings.add('ausschreibung_wert_unlesbar', figure, 'der Gebotstermin steht noch bevor', key.datum);
  }
  const unknown = Object.fromEntries(Object.keys(results).map((figure) => [figure, null])) as {
    [Key in keyof typeof results]: null;
  };
  return {
    ...round,
    statistik: {
      quelle,
      ...unknown,
      volumenAusgeschriebenKw,
      hoechstwertCtKwh,
      befunde: [...befunde, ...findings.list()],
    },
  };
}

/** The rounds while files are taken one after the other, so that a dry run sees what the files before would have changed. */
class LoadedRounds {
  readonly #rounds: Map<number, StoredRound>;
  /** The lists that were there before this call, as far as `--replace` takes them away. */
  readonly #outdated: Set<StoredList>;

  constructor(stored: readonly StoredRound[], replace: boolean) {
    this.#rounds = new Map(stored.map((round) => [round.id, round]));
    this.#outdated = new Set(replace ? stored.flatMap(({ listen }) => listen) : []);
  }

  get rounds(): StoredRound[] {
    return [...this.#rounds.values()];
  }

  take(file: string, read: readonly ReadRound[]): { outcome: FileOutcome; changed: StoredRound[] } {
    const before = new Map(this.#rounds);
    const replaced = read.flatMap((round) => this.#takeRound(round));
    const changed = this.rounds.filter((round) => JSON.stringify(round) !== JSON.stringify(before.get(round.id)));
    const lists = read.flatMap(({ liste }) => liste ?? []);
    const known = new Map(referenceRounds().map((round) => [round.id, round]));
    const outcome: FileOutcome = {
      file,
      outcome: changed.length > 0 ? 'loaded' : 'unchanged',
      rounds: read.map(({ key }) => tenderId(key)),
      awards: lists.length === 0 ? null : lists.reduce((sum, { zuschlaege }) => sum + zuschlaege.length, 0),
      elsewhere: read.reduce((sum, round) => sum + this.#elsewhere(round), 0),
      replaced,
      findings: read.flatMap(({ key, liste, statistik }) => {
        const { listen = [] } = this.#rounds.get(tenderId(key)) ?? {};
        const others = listen.map((list) => (list.pruefsumme === liste?.pruefsumme ? list : { ...list, befunde: [] }));
        return findingsOf({ listen: liste === null ? [] : others, statistik }, known.get(tenderId(key)));
      }),
      reason: null,
    };
    return { outcome, changed };
  }

  /** Counts the awards of a list that other lists of its round have, too. */
  #elsewhere({ key, liste }: ReadRound): number {
    const { listen = [] } = this.#rounds.get(tenderId(key)) ?? {};
    const others = listen.filter(({ pruefsumme }) => pruefsumme !== liste?.pruefsumme);
    const known = new Set(others.flatMap(({ zuschlaege }) => zuschlaege.map(({ id }) => id)));
    return liste?.zuschlaege.filter(({ id }) => known.has(id)).length ?? 0;
  }

  #takeRound({ key, liste, statistik }: ReadRound): ReplacedList[] {
    const id = tenderId(key);
    const empty: StoredRound = {
      ...{ id, technologie: key.technologie, verfahren: key.verfahren, datum: key.datum },
      ...{ listen: [], statistik: null },
    };
    const before = this.#rounds.get(id) ?? empty;
    if (statistik !== null) this.#rounds.set(id, { ...before, statistik });
    if (liste === null || this.#isThere(before, liste)) return [];
    const earlier = this.rounds.flatMap((round) =>
      round.listen
        .filter((list) => isEarlierForm(list, liste, round.id === id) || (round.id === id && this.#outdated.has(list)))
        .map((list) => ({ round: round.id, list })),
    );
    for (const { round, list } of earlier) {
      const of = this.#rounds.get(round);
      if (of !== undefined) this.#rounds.set(round, { ...of, listen: of.listen.filter((one) => one !== list) });
    }
    const rest = this.#rounds.get(id) ?? empty;
    const next = { ...rest, listen: [...rest.listen, liste] };
    this.#rounds.set(id, next);
    const numbers = new Set(awardsOf(next).map(({ zuschlagsnummer }) => zuschlagsnummer));
    return earlier
      .filter(({ list }) => list.pruefsumme !== liste.pruefsumme)
      .map(({ round, list: { quelle, zuschlaege } }) => ({
        ...{ gebotstermin: round, quelle, zuschlaege: zuschlaege.length },
        entfallen: zuschlaege.map((award) => award.zuschlagsnummer).filter((number) => !numbers.has(number)),
      }));
  }

  /** The same list again changes nothing, not even the order of the lists. */
  #isThere({ listen }: StoredRound, liste: StoredList): boolean {
    const same = listen.find((list) => JSON.stringify(list) === JSON.stringify(liste));
    if (same === undefined || listen.some((list) => list !== same && this.#outdated.has(list))) return false;
    this.#outdated.delete(same);
    return true;
  }
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
