import { parentPort, workerData } from 'node:worker_threads';
import type { Member } from '../archive/member.ts';
import { StagedFiles } from '../stage/staged-files.ts';
import { type MemberResult, type ReadingContext, readOneMember } from './read-member.ts';

/** A thread that reads one member at a time, and completes its staged files in the end. */

export type ToWorker = { readonly type: 'read'; readonly member: Member } | { readonly type: 'close' };

export type FromWorker =
  | { readonly type: 'read'; readonly result: MemberResult }
  | { readonly type: 'closed' }
  | { readonly type: 'failed'; readonly name: string; readonly message: string };

export interface WorkerData {
  readonly context: ReadingContext;
  /** Number of the thread, from 0. */
  readonly thread: number;
  /** Unpacked bytes that all threads have read. A message for each piece would take a twentieth of the time of reading. */
  readonly readBytes: BigInt64Array<SharedArrayBuffer>;
}

const { context, thread, readBytes } = workerData as WorkerData;
if (parentPort === null) throw new Error('This module runs in a worker thread only');
const port = parentPort;
const files = new StagedFiles(context.stage, thread);
const advance = (bytes: number): void => {
  Atomics.add(readBytes, 0, BigInt(bytes));
};

async function answer(message: ToWorker): Promise<FromWorker> {
  if (message.type === 'read')
    return { type: 'read', result: await readOneMember(context, files, message.member, advance) };
  files.close();
  return { type: 'closed' };
}

port.on('message', (message: ToWorker) => {
  answer(message)
    .catch((error: Error): FromWorker => ({ type: 'failed', name: error.constructor.name, message: error.message }))
    .then((reply) => port.postMessage(reply));
});
