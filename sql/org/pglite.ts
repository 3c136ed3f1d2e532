import { constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isOpenToOthers, restrictTreeToOwner } from '../../runtime/file-permissions.ts';
import { acquireLock } from '../../runtime/lock-file.ts';
import type { Logger } from '../../runtime/log.ts';
import { writeBackupOnThread } from './backup-thread.ts';
import { targetMustBeFree, writeBackup } from './backup-write.ts';
import {
  ALL_ORGANISATIONS,
  type BackupSummary,
  type Connection,
  type Driver,
  isOutage,
  SESSION,
  StoreRefused,
  StoreUnavailable,
  settingsText,
  type TenantSetting,
  withoutRowValues,
} from './driver.ts';
import { type EmbeddedDatabase, NotOpened, openHere } from './embedded-database.ts';
import { openOnThread } from './embedded-thread.ts';
import { type ReopeningDatabase, reopeningDatabase } from './reopening.ts';

/** The user that owns the tables: an ordinary one, so that row-level security holds for it. */
const OWNER = 'service';

/** Statements outside a transaction see all organisations; every transaction sets its own. */
const SETTINGS = { ...SESSION, role: OWNER, 'app.organisation': '*' };

/** Stands in place of a folder for a store that ends with the process. */
const MEMORY = 'memory';

/**
 * The thread on which the database works: the one that opens it, which is the cheaper way for a process that does nothing else
 * meanwhile, or on one of its own, so that a service goes on answering during its statements.
 */
export type StoreThread = 'shared' | 'own';

/**
 * The store inside this process: Postgres compiled to WebAssembly, its files in a folder that belongs to one process.
 * It survives the end of the process at any moment, but does not wait for the disk: a power cut can cost the last
 * writes.
 * @param folder `memory` for a store that ends with the process
 * @throws Locked when another process has the folder
 */
export async function openPglite(folder: string, log: Logger, thread: StoreThread = 'shared'): Promise<Driver> {
  const open = opener(thread, log);
  const inMemory = folder === MEMORY;
  if (!inMemory) mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const unlock = inMemory
    ? () => {}
    : acquireLock(`${folder}.lock`, 'organisation store', `${folder} belongs to another process`);
  try {
    const began = performance.now();
    const database = inMemory ? await create('memory://', open) : await openFolder(folder, open, log);
    await database.exec(settingsText(SETTINGS));
    // Postgres gives the files it makes modes of its own, whatever the umask is.
    if (!inMemory) restrictTreeToOwner(folder);
    const reopen = async (): Promise<EmbeddedDatabase> => {
      if (inMemory) throw new Error('it was kept in memory');
      const again = await open(folder);
      await again.exec(settingsText(SETTINGS));
      restrictTreeToOwner(folder);
      return again;
    };
    log.debug({ folder, ms: Math.round(performance.now() - began) }, 'organisation store opened');
    return driver(reopeningDatabase(database, reopen, log), folder, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A new store is built under another name, so that its folder is complete or missing whenever the process ends. */
async function openFolder(folder: string, open: Open, log: Logger): Promise<EmbeddedDatabase> {
  if (isEmptyOrMissing(folder)) {
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { mode: 0o700 });
    const made = await create(unfinished, open);
    await made.close();
    restrictTreeToOwner(unfinished);
    renameSync(unfinished, folder);
  } else {
    mustBeStore(folder);
    closeFolder(folder, log);
    // The lock is free, so that no backup is being made of the copy.
    removeCopy(folder);
  }
  return open(folder);
}

/** True for an empty folder, and for one that is not there. */
export const isEmptyOrMissing = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/** @throws StoreRefused when the folder holds something else, or an incomplete store */
function mustBeStore(folder: string): void {
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  if (existsSync(join(folder, 'base')) || existsSync(join(folder, 'global'))) {
    throw damaged(folder, 'it has no file PG_VERSION');
  }
  throw new StoreRefused(`${folder} holds files, but no organisation store. Name another folder in ORG_STORE_URL`);
}

/** The files hold the hashes of keys, and write access to them gives every right. */
function closeFolder(folder: string, log: Logger): void {
  if (isOpenToOthers(folder)) log.warn({ folder }, 'the organisation store was open to other users; it no longer is');
  try {
    restrictTreeToOwner(folder);
  } catch (error) {
    throw new StoreRefused(
      `${folder} cannot be kept from other users (${(error as Error).message}). ` +
        'Give it to the user that the service runs as: chown -R',
    );
  }
}

const damaged = (folder: string, reason: string): StoreRefused =>
  new StoreRefused(
    `The organisation store in ${folder} is damaged: ${reason}. Move that folder away, and bring back the last backup: ` +
      'npm run admin -- restore <file>',
  );

type Open = (place: string) => Promise<EmbeddedDatabase>;

async function create(place: string, open: Open): Promise<EmbeddedDatabase> {
  const database = await open(place);
  await database.exec(`CREATE ROLE ${OWNER}; GRANT ALL ON SCHEMA public TO ${OWNER}`);
  return database;
}

/** @returns a function that throws StoreRefused for files that are damaged, StoreUnavailable where the reason may pass */
function opener(thread: StoreThread, log: Logger): Open {
  return async (place) => {
    try {
      return await (thread === 'own' ? openOnThread(place, log) : openHere(place));
    } catch (error) {
      const stderr = error instanceof NotOpened ? error.stderr : [];
      const messages = stderr.flatMap((line) => /(?:PANIC|FATAL|ERROR|DETAIL): +(.*)$/.exec(line)?.[1] ?? []);
      const reason = messages.join('. ').replaceAll('/pglite/data', place) || (error as Error).message;
      if (error instanceof NotOpened && !TRANSIENT_REASONS.test(reason)) throw damaged(place, reason);
      throw new StoreUnavailable(`The organisation store in ${place} cannot be opened: ${reason}`, { cause: error });
    }
  };
}

/** Reasons that may pass, in the words of the engine and of Node. */
const TRANSIENT_REASONS =
  /permission denied|no space left|file descriptors|too many open files|out of memory|EACCES|ENOSPC|EMFILE/i;

/** SQLSTATE that only damage causes: an impossible page or index, a missing file. */
const DAMAGE = /^(XX00[12]|58P01)$/;

const isDamage = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && DAMAGE.test(String(error.code));

function driver(databases: ReopeningDatabase, folder: string, unlock: () => void): Driver {
  /** Statements and transactions that are running or waiting: the database takes one at a time. */
  let handed = 0;
  const counted = async <Result>(ask: (database: EmbeddedDatabase) => Promise<Result>): Promise<Result> => {
    handed += 1;
    try {
      return await databases.use((database) => translateOutages(database, () => ask(database)));
    } catch (error) {
      throw isDamage(error) ? damaged(folder, error.message) : error;
    } finally {
      handed -= 1;
    }
  };
  const transaction = <Result>(
    scope: TenantSetting,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> => counted((database) => database.transaction(scope, work));
  return {
    place: `pglite:${folder}`,
    exclusive: true,
    transaction,
    autocommit: async (text, values) => (await counted((database) => database.query(text, values))).rows,
    maintenance: (work) => work((inside) => transaction(ALL_ORGANISATIONS, inside)),
    backup: (path) =>
      folder === MEMORY
        ? transaction(ALL_ORGANISATIONS, (connection) => writeBackup(connection, path))
        : backupFromCopy(folder, path, (copy) => counted((database) => database.alone(copy))),
    pools() {
      const busy = Math.min(1, handed);
      return [{ pool: 'embedded', busy, idle: 1 - busy, waiting: handed - busy }];
    },
    async close() {
      try {
        await databases.close();
        if (folder !== MEMORY) restrictTreeToOwner(folder);
      } finally {
        unlock();
      }
    },
  };
}

/**
 * The database takes one statement at a time, and a backup would keep all others waiting. They wait only while its
 * folder is copied; the backup is made of the copy, which opens as after a crash at that moment.
 * @param alone runs work while no statement runs
 */
async function backupFromCopy(
  folder: string,
  path: string,
  alone: (work: () => Promise<void>) => Promise<void>,
): Promise<BackupSummary> {
  targetMustBeFree(path);
  const copy = copyOf(folder);
  const unlock = acquireLock(`${folder}.backup.lock`, 'backup', `A backup of ${folder} is being made`);
  try {
    removeCopy(folder);
    await alone(() => cp(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE }));
    return await writeBackupOnThread(copy, path);
  } finally {
    removeCopy(folder);
    unlock();
  }
}

const copyOf = (folder: string): string => `${folder}.copy`;

const removeCopy = (folder: string): void => rmSync(copyOf(folder), { recursive: true, force: true });

/** Turns errors of a store that is closed or out of resources into StoreUnavailable; errors of the statement stay. */
async function translateOutages<Answer>(database: EmbeddedDatabase, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const failure = error as Error & { code?: unknown };
    if (database.isClosed()) throw new StoreUnavailable('The organisation store is closed', { cause: error });
    if (isOutage(failure.code)) {
      throw new StoreUnavailable(`The organisation store does not answer: ${failure.message}`, { cause: error });
    }
    throw withoutRowValues(failure);
  }
}
