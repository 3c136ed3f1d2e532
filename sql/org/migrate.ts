import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Transact, Wire } from './wire.ts';

/**
 * The tables of the store, as numbered files that each run once, in order, forward only. A file that has run is never
 * edited: its digest is kept, and a store that another text has made is refused.
 */

const FOLDER = new URL('migrations/', import.meta.url);

/** Instances that start at the same time take turns, migration by migration. */
const LOCK = 7_310_244_002;

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly digest: string;
}

/** The store and this release do not fit. */
export class MigrationRefused extends Error {}

/**
 * Runs what has not run yet, each in a transaction of its own; or only says what would.
 * @param folder where the files are, as URL with a slash at the end
 * @returns the names of the migrations that ran here, or would
 * @throws MigrationRefused when the store was made by a newer release, or by other texts
 */
export async function migrate(transact: Transact, how: 'apply' | 'plan', folder = FOLDER): Promise<string[]> {
  const known = migrations(folder);
  if (how === 'plan') return (await transact((wire) => pending(wire, known))).map(({ name }) => name);
  const ran: string[] = [];
  for (;;) {
    const name = await transact((wire) => runNext(wire, known));
    if (name === null) return ran;
    ran.push(name);
  }
}

/** @returns its name; null when there is none left */
async function runNext(wire: Wire, known: readonly Migration[]): Promise<string | null> {
  await wire.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await wire.exec(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY, digest text NOT NULL, ran_at timestamptz(3) NOT NULL DEFAULT now())`,
  );
  const [next] = await pending(wire, known);
  if (next === undefined) return null;
  const { name, text, digest } = next;
  try {
    await wire.exec(text);
  } catch (error) {
    throw new Error(`Migration ${name} failed, nothing of it was kept: ${(error as Error).message}`, { cause: error });
  }
  await wire.query('INSERT INTO schema_migrations (name, digest) VALUES ($1, $2)', [name, digest]);
  return name;
}

/** What has not run yet. */
async function pending(wire: Wire, known: readonly Migration[]): Promise<Migration[]> {
  const ran = await applied(wire);
  for (const [name, digest] of ran) {
    const file = known.find((migration) => migration.name === name);
    if (file === undefined) {
      throw new MigrationRefused(
        `The organisation store is of a newer release: it has run ${name}. Start that release`,
      );
    }
    if (file.digest !== digest) {
      throw new MigrationRefused(`${name} is not the text that made this organisation store. Restore the file`);
    }
  }
  const todo = known.filter(({ name }) => !ran.has(name));
  const late = todo.find(({ name }) => [...ran.keys()].some((other) => other > name));
  if (late !== undefined) {
    throw new MigrationRefused(`${late.name} has not run, but later ones have. Number it behind them`);
  }
  return todo;
}

/** Digests by name. */
async function applied(wire: Wire): Promise<Map<string, string>> {
  const { rows } = await wire.query("SELECT to_regclass('schema_migrations') IS NOT NULL AS there", []);
  if (!(rows[0] as { there: boolean }).there) return new Map();
  const ran = await wire.query('SELECT name, digest FROM schema_migrations', []);
  return new Map((ran.rows as { name: string; digest: string }[]).map(({ name, digest }) => [name, digest]));
}

function migrations(folder: URL): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return { name, text, digest: createHash('sha256').update(text).digest('hex') };
  });
}
