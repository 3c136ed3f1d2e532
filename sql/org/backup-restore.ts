import { BackupDamaged, LineDigest, readBackupFile, type TableChunk, type TableDigests } from './backup-file.ts';
import { columnNames, insertLines, linesOf, type StoreTable, tablesOf } from './backup-tables.ts';
import type { BackupSummary, Connection, Transact } from './driver.ts';
import { isMigratedTable, lockMigrations, migrate, mustBeKnownMigrations } from './migrate.ts';

/** The store has organisations that the restore would overwrite, or foreign tables. */
export class RestoreRefused extends Error {}

/**
 * Restores a backup in one transaction. The tables are created again by the migrations of the backup, filled, read back
 * and compared; then the later migrations run, so that an older backup fits.
 * @param replace permits it although there are organisations
 * @throws BackupDamaged, MigrationRefused, RestoreRefused without any change
 */
export async function restoreBackup(transact: Transact, path: string, replace: boolean): Promise<BackupSummary> {
  // The file is checked as a whole before it blocks other sessions.
  const { header, sums } = await readBackupFile(path);
  mustBeKnownMigrations(header.migrations);
  const last = header.migrations.at(-1)?.name;
  if (last === undefined) throw new RestoreRefused(`${path} was made of a store without tables`);
  await transact(async (connection) => {
    await lockMigrations(connection);
    if (!replace) await mustBeVacant(connection);
    await removeTables(connection);
    const inside: Transact = (work) => work(connection);
    await migrate(inside, 'apply', undefined, last);
    await fill(connection, path, sums);
    await migrate(inside, 'apply');
  });
  return { file: path, createdAt: header.createdAt, tables: sums };
}

/** Everything belongs to organisations, except the rows of jobs and unknown callers. */
async function mustBeVacant(connection: Connection): Promise<void> {
  const { rows } = await connection.query("SELECT to_regclass('organisations') IS NOT NULL AS made", []);
  if (!(rows as { made: boolean }[])[0]?.made) return;
  const found = await connection.query('SELECT count(*) AS n FROM organisations', []);
  const count = (found.rows as { n: number }[])[0]?.n ?? 0;
  if (count > 0) {
    throw new RestoreRefused(
      `The store has ${count} organisation${count === 1 ? '' : 's'}, and nothing was changed. ` +
        'To replace everything in it, add --replace',
    );
  }
}

interface Thing {
  readonly name: string;
  readonly sort: 'TABLE' | 'VIEW' | 'ROUTINE' | 'TYPE' | 'COLLATION';
  /** The word that DROP takes. */
  readonly spelled: string;
}

/** Lists everything in the schema, except the objects of extensions and the types of tables. */
const THINGS = `
  SELECT relname::text AS name, CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS sort, oid::regclass::text AS spelled
  FROM pg_class c
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  UNION ALL
  SELECT proname, 'ROUTINE', oid::regprocedure::text FROM pg_proc p
  WHERE pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT typname, 'TYPE', t.oid::regtype::text FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid
  WHERE typnamespace = current_schema()::regnamespace AND c.relkind = 'c'
  UNION ALL
  SELECT collname, 'COLLATION', quote_ident(collname) FROM pg_collation c
  WHERE collnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_collation'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** @throws RestoreRefused when there are tables that no release has created, which are foreign */
async function removeTables(connection: Connection): Promise<void> {
  const things = (await connection.query(THINGS, [])).rows as Thing[];
  const foreign = things.find(({ name, sort }) => (sort === 'TABLE' || sort === 'VIEW') && !isMigratedTable(name));
  if (foreign !== undefined) {
    throw new RestoreRefused(
      `The database has a table ${foreign.spelled} that is none of the service, so nothing was changed. ` +
        'Restore into a database of its own',
    );
  }
  const tables = things.filter(({ sort }) => sort === 'TABLE').map(({ spelled }) => spelled);
  if (tables.length > 0) {
    // One statement drops all of them, so that it waits only once for a running service.
    await connection.exec(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    await connection.exec(`DROP TABLE ${tables.join(', ')} CASCADE`);
  }
  for (const { name, sort, spelled } of things) {
    if (sort !== 'TABLE' && isMigratedTable(name)) await connection.exec(`DROP ${sort} IF EXISTS ${spelled} CASCADE`);
  }
}

async function fill(connection: Connection, path: string, sums: TableDigests): Promise<void> {
  const tables = new Map((await tablesOf(connection)).map((table) => [table.name, table]));
  const unlike = [...Object.keys(sums), ...tables.keys()].find((name) => !(name in sums && tables.has(name)));
  if (unlike !== undefined) throw new BackupDamaged(`${path} and the store do not both have the table ${unlike}`);
  await triggers(connection, tables.values(), 'DISABLE');
  await readBackupFile(path, async (piece) => insertLines(connection, sameTable(path, tables, piece), piece.lines));
  await triggers(connection, tables.values(), 'ENABLE');
  for (const table of tables.values()) {
    const summing = new LineDigest();
    for await (const lines of linesOf(connection, table)) summing.add(lines);
    const { rows, sha256 } = summing.sum();
    if (sums[table.name]?.rows === rows && sums[table.name]?.sha256 === sha256) continue;
    throw new Error(
      `The restore was taken back: the rows of ${table.name} are not those of the backup when read again`,
    );
  }
}

/** Triggers are off while rows are restored: the rows that they would write are in the backup, too. */
async function triggers(
  connection: Connection,
  tables: Iterable<StoreTable>,
  how: 'ENABLE' | 'DISABLE',
): Promise<void> {
  for (const { name } of tables) await connection.exec(`ALTER TABLE ${name} ${how} TRIGGER USER`);
}

function sameTable(
  path: string,
  tables: ReadonlyMap<string, StoreTable>,
  { table: name, columns }: TableChunk,
): StoreTable {
  const table = tables.get(name);
  if (table !== undefined && columnNames(table).join() === columns.join()) return table;
  throw new BackupDamaged(`${path} has other columns of the table ${name} than its release`);
}
