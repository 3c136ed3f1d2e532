import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Wire } from './wire.ts';

/**
 * The tables of the store, as numbered files that each run once, forward only. A file that has run is never edited:
 * its digest is kept, and a store that another text has made is refused.
 */

const FOLDER = new URL('migrations/', import.meta.url);

/** Two instances that start at the same time take turns. */
const LOCK = 7_310_244_002;

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly digest: string;
}

/** The store and this release do not fit. */
export class MigrationRefused extends Error {}

/**
 * Runs what has not run yet, or only says what would.
 * @returns the names of the migrations that ran, or would
 * @throws MigrationRefused when the store was made by a newer release, or by other texts
 */
export async function migrate(wire: Wire, how: 'apply' | 'plan'): Promise<string[]> {
  if (how === 'plan') return (await pending(wire)).map(({ name }) => name);
  await wire.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    await wire.exec(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
         name text PRIMARY KEY, digest text NOT NULL, ran_at timestamptz(3) NOT NULL DEFAULT now())`,
    );
    const todo = await pending(wire);
    for (const migration of todo) await run(wire, migration);
    return todo.map(({ name }) => name);
  } finally {
    await wire.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  }
}

async function run(wire: Wire, { name, text, digest }: Migration): Promise<void> {
  await wire.exec('BEGIN');
  try {
    await wire.exec(text);
    await wire.query('INSERT INTO schema_migrations (name, digest) VALUES ($1, $2)', [name, digest]);
    await wire.exec('COMMIT');
  } catch (error) {
    await wire.exec('ROLLBACK');
    throw new Error(`Migration ${name} failed, nothing of it was kept: ${(error as Error).message}`, { cause: error });
  }
}

/** What has not run yet. */
async function pending(wire: Wire): Promise<Migration[]> {
  const known = migrations();
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
  return known.filter(({ name }) => !ran.has(name));
}

async function applied(wire: Wire): Promise<Map<string, string>> {
  const { rows } = await wire.query("SELECT to_regclass('schema_migrations') IS NOT NULL AS there", []);
  if (!(rows[0] as { there: boolean }).there) return new Map();
  const ran = await wire.query('SELECT name, digest FROM schema_migrations', []);
  return new Map((ran.rows as { name: string; digest: string }[]).map(({ name, digest }) => [name, digest]));
}

function migrations(): Migration[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const text = readFileSync(new URL(name, FOLDER), 'utf8');
    return { name, text, digest: createHash('sha256').update(text).digest('hex') };
  });
}
