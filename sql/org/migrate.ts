import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Connection, Transact } from './driver.ts';

/**
 * Migrations of the store are numbered files that each run once, in order, forward only. A file that has run is never
 * edited: its digest is kept, and a store that was made by another text is refused.
 */

const FOLDER = new URL('migrations/', import.meta.url);

/** Key of the advisory lock by which instances that start at the same time take turns, migration by migration. */
const LOCK = 7_310_244_002;

/** A migration that has run in a store. */
export interface AppliedMigration {
  readonly name: string;
  /** SHA-256 of its text, hexadecimal. */
  readonly digest: string;
}

interface Migration extends AppliedMigration {
  readonly text: string;
}

/** The store does not fit this release. */
export class MigrationRefused extends Error {}

/**
 * Runs each migration that has not run yet in a transaction of its own, or only lists them.
 * @param folder URL of the files, with a slash at the end
 * @param last the last one that may run; all of them by default
 * @returns the names of the migrations that ran, or would run
 * @throws MigrationRefused when the store was made by a newer release, or by other texts
 */
export async function migrate(
  transact: Transact,
  how: 'apply' | 'plan',
  folder = FOLDER,
  last?: string,
): Promise<string[]> {
  const known = migrations(folder).filter(({ name }) => last === undefined || name <= last);
  if (how === 'plan') return (await transact((connection) => pending(connection, known))).map(({ name }) => name);
  const ran: string[] = [];
  for (;;) {
    const name = await transact((connection) => runNext(connection, known));
    if (name === null) return ran;
    ran.push(name);
  }
}

/** @returns its name; null when there is none left */
async function runNext(connection: Connection, known: readonly Migration[]): Promise<string | null> {
  await lockMigrations(connection);
  await connection.exec(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY, digest text NOT NULL, ran_at timestamptz(3) NOT NULL DEFAULT now())`,
  );
  const [next] = await pending(connection, known);
  if (next === undefined) return null;
  const { name, text, digest } = next;
  try {
    await connection.exec(text);
  } catch (error) {
    throw new Error(`Migration ${name} failed, nothing of it was kept: ${(error as Error).message}`, { cause: error });
  }
  await connection.query('INSERT INTO schema_migrations (name, digest) VALUES ($1, $2)', [name, digest]);
  return name;
}

/** Waits for migrations of other instances, and keeps them waiting until the end of the transaction. */
export const lockMigrations = (connection: Connection) => connection.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);

/** Lists the migrations that have not run yet. */
async function pending(connection: Connection, known: readonly Migration[]): Promise<Migration[]> {
  const ran = await appliedMigrations(connection);
  mustBeKnownMigrations(ran, known);
  const todo = known.filter(({ name }) => !ran.some((other) => other.name === name));
  const late = todo.find(({ name }) => ran.some((other) => other.name > name));
  if (late !== undefined) {
    throw new MigrationRefused(`${late.name} has not run, but later ones have. Number it after them`);
  }
  return todo;
}

/** @throws MigrationRefused when this release lacks a migration that has run, or has another text of it */
export function mustBeKnownMigrations(
  ran: readonly AppliedMigration[],
  known: readonly AppliedMigration[] = migrations(FOLDER),
): void {
  for (const { name, digest } of ran) {
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
}

/** Lists the migrations that ran in a store, in order; none in a new one. */
export async function appliedMigrations(connection: Connection): Promise<AppliedMigration[]> {
  const { rows } = await connection.query("SELECT to_regclass('schema_migrations') IS NOT NULL AS there", []);
  if (!(rows[0] as { there: boolean }).there) return [];
  const ran = await connection.query('SELECT name, digest FROM schema_migrations ORDER BY name COLLATE "C"', []);
  return ran.rows as AppliedMigration[];
}

/** Returns true when a migration mentions the name: a table that none mentions is not part of the store. */
export function isMigratedTable(name: string): boolean {
  return name === 'schema_migrations' || migrations(FOLDER).some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
}

function migrations(folder: URL): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return { name, text, digest: createHash('sha256').update(text).digest('hex') };
  });
}
