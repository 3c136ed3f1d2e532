import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { openPglite } from '../pglite.ts';
import { type Held, writeBackup } from './write.ts';

/** The backup of a copy of an embedded store, on a thread of its own: reading it takes the thread that reads. */

interface Task {
  /** Folder of the copy. */
  readonly copy: string;
  readonly path: string;
}

/** @throws Error as writeBackup does */
export async function writeBackupOf(copy: string, path: string): Promise<Held> {
  const task: Task = { copy, path };
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  let held: Held | undefined;
  worker.once('message', (message: Held) => {
    held = message;
  });
  // It has given back the copy when it is gone; an error of the thread is one of this.
  const [code] = await once(worker, 'exit');
  if (held === undefined) throw new Error(`The thread that wrote the backup ended with ${code}`);
  return held;
}

if (!isMainThread && parentPort !== null) {
  const { copy, path } = workerData as Task;
  const driver = await openPglite(copy, pino({ level: 'silent' }));
  try {
    parentPort.postMessage(
      await driver.maintenance((transact) => transact((connection) => writeBackup(connection, path))),
    );
  } finally {
    await driver.close();
  }
}
