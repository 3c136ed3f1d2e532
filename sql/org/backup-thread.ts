import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BackupSummary } from './driver.ts';

/** A copy of an embedded store, and the file for its backup. */
export interface BackupTask {
  /** Folder of the copy. */
  readonly copy: string;
  readonly path: string;
}

/**
 * Writes the backup of a copy on a thread of its own (backup-worker.ts), because Postgres inside the process occupies
 * the thread that reads it.
 * @throws Error as writeBackup does
 */
export async function writeBackupOnThread(copy: string, path: string): Promise<BackupSummary> {
  const task: BackupTask = { copy, path };
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData: task });
  let summary: BackupSummary | undefined;
  worker.once('message', (message: BackupSummary) => {
    summary = message;
  });
  // The copy is released only when the thread has ended. Its errors reject this promise.
  const [code] = await once(worker, 'exit');
  if (summary === undefined) throw new Error(`The thread that wrote the backup ended with ${code}`);
  return summary;
}
