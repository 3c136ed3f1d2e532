import type * as FileSystem from 'node:fs';
import type { BuildingWarehouse } from '../../ingest/build/warehouse.ts';

/**
 * Operations of a build that can fail: what it asks of the file system and of the engine, and what it tells. A test puts
 * these wrappers in place of the modules (vi.mock), arms them for the length of one build, and lets the n-th one fail.
 */

export class Fault extends Error {}

/** once: the operation fails and the build goes on to clear up. dies: nothing works from there on, as if killed. */
export type Mode = 'once' | 'dies';

const state = { armed: false, mode: 'once' as Mode, at: 0, count: 0 };

/**
 * What is done inside building/ fails on one way, whatever it is: the whole folder goes. When the build clears up itself,
 * one such operation in a row is enough; when it dies, one write of staged files in a row, and every statement.
 */
type Place = 'staged' | 'built' | 'outside';

let lastPlace: Place = 'outside';

function isRepeated(place: Place): boolean {
  const before = lastPlace;
  lastPlace = place;
  if (state.mode === 'once') return place !== 'outside' && before !== 'outside';
  return place === 'staged' && before === 'staged';
}

/** Lets the `at`-th operation of the work fail. Returns how many there were, and the error it ended with. */
export async function failingAt(
  at: number,
  mode: Mode,
  work: () => Promise<unknown>,
): Promise<{ operations: number; error: unknown }> {
  Object.assign(state, { armed: true, mode, at, count: 0 });
  lastPlace = 'outside';
  let error: unknown = null;
  try {
    await work();
  } catch (thrown) {
    error = thrown;
  } finally {
    state.armed = false;
  }
  return { operations: state.count, error };
}

export function operation(name: string, place: Place = 'outside'): void {
  if (!state.armed) return;
  const repeated = isRepeated(place);
  if (!repeated) state.count++;
  if ((state.count === state.at && !repeated) || (state.mode === 'dies' && state.count > state.at)) {
    throw new Fault(`operation ${state.at} failed: ${name}`);
  }
}

/** The calls that change something; what is only looked at cannot be left half done. */
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

/** writevSync is called by the writer of staged files alone, which names an open file. */
const placeOf = (name: string, path: unknown): Place =>
  name === 'writevSync' || String(path).includes('/stage/') ? 'staged' : 'outside';

export function failingFileSystem(actual: typeof FileSystem): typeof FileSystem {
  const wrapped: Record<string, unknown> = { ...actual };
  for (const name of CHANGING) {
    const call = actual[name] as (...words: unknown[]) => unknown;
    wrapped[name] = (...words: unknown[]) => {
      operation(`${name} ${String(words[0])}`, placeOf(name, words[0]));
      return call(...words);
    };
  }
  return wrapped as unknown as typeof FileSystem;
}

export function failingEngine(engine: BuildingWarehouse): BuildingWarehouse {
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
