import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import type { BackupTask } from './backup-thread.ts';
import { writeBackup } from './backup-write.ts';
import { openPglite } from './pglite.ts';

/** The thread of backup-thread.ts: it opens the copy, writes the backup and posts its summary. */

const { copy, path } = workerData as BackupTask;
const driver = await openPglite(copy, pino({ level: 'silent' }));
try {
  parentPort?.postMessage(
    await driver.maintenance((transact) => transact((connection) => writeBackup(connection, path))),
  );
} finally {
  await driver.close();
}
