import type * as FileSystem from 'node:fs';
import type { WarehouseConnection } from '../../ingest/duckdb/connection.ts';

/**
 * The operations of a build, before each of which it can fail or be killed: its calls of the file system, its statements
 * and its progress. A test replaces the modules by these wrappers (vi.mock) and arms them for one build.
 */

export class Fault extends Error {}

/**
 * Every failure inside building/ ends in the same way: the whole folder is removed. So one such operation in a row is
 * enough there. After a kill every statement counts, and one write of staged files in a row.
 */
type Place = 'staged' | 'built' | 'outside';

interface Watch {
  isRepeated(place: Place, before: Place): boolean;
  /** Called before each operation that is not repeated, with its number, from 1. */
  meets(number: number, name: string): void;
}

let watch: Watch | null = null;
let count = 0;
let lastPlace: Place = 'outside';

async function watched(by: Watch, work: () => Promise<unknown>): Promise<number> {
  watch = by;
  count = 0;
  lastPlace = 'outside';
  try {
    await work();
    return count;
  } finally {
    watch = null;
  }
}

/** Lets the `at`-th operation of the work fail, once. Returns how many there were, and the error it ended with. */
export async function failingAt(
  at: number,
  work: () => Promise<unknown>,
): Promise<{ operations: number; error: unknown }> {
  let error: unknown = null;
  const by: Watch = {
    isRepeated: (place, before) => place !== 'outside' && before !== 'outside',
    meets(number, name) {
      if (number === at) throw new Fault(`operation ${at} failed: ${name}`);
    },
  };
  await watched(by, work).catch((thrown) => {
    error = thrown;
  });
  return { operations: count, error };
}

/** Calls `look` before each operation, when the folder is as a kill at that moment leaves it. Returns their number. */
export function inspectingBeforeEach(inspect: (name: string) => void, work: () => Promise<unknown>): Promise<number> {
  const by: Watch = {
    isRepeated: (place, before) => place === 'staged' && before === 'staged',
    meets(_, name) {
      watch = null;
      inspect(name);
      watch = by;
    },
  };
  return watched(by, work);
}

export function operation(name: string, place: Place = 'outside'): void {
  if (watch === null) return;
  const repeated = watch.isRepeated(place, lastPlace);
  lastPlace = place;
  if (repeated) return;
  count++;
  watch.meets(count, name);
}

/** The calls that change something: a call that only reads cannot be left half done. */
const CHANGING = [
  'mkdirSync',
  'rmSync',
  'renameSync',
  'openSync',
  'writeFileSync',
  'writevSync',
  'fsyncSync',
  'linkSync',
] as const;

/** Returns the place of the file that a call names. An open file is a number: it is the one opened a moment ago. */
function placeOf(file: unknown): Place {
  if (typeof file === 'number') return lastPlace;
  if (String(file).includes('/stage/')) return 'staged';
  return /\/building\/[^/]+\//.test(String(file)) ? 'built' : 'outside';
}

export function failingFileSystem(actual: typeof FileSystem): typeof FileSystem {
  const wrapped: Record<string, unknown> = { ...actual };
  for (const name of CHANGING) {
    const call = actual[name] as (...words: unknown[]) => unknown;
    wrapped[name] = (...words: unknown[]) => {
      operation(`${name} ${String(words[0])}`, placeOf(words[0]));
      return call(...words);
    };
  }
  return wrapped as unknown as typeof FileSystem;
}

export function failingEngine(engine: WarehouseConnection): WarehouseConnection {
  return {
    ...engine,
    run: async (sql) => {
      operation(sql, 'built');
      await engine.run(sql);
    },
    append: async (table, rows) => {
      operation(`append ${table}`, 'built');
      await engine.append(table, rows);
    },
  };
}
