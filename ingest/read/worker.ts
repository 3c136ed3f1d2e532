import { parentPort, workerData } from 'node:worker_threads';
import type { Member } from '../archive/member.ts';
import { type MemberResult, type ReadingContext, readOneMember } from './read-member.ts';

/** A thread that reads one member at a time. */

export type FromWorker =
  | { readonly type: 'done'; readonly result: MemberResult }
  | { readonly type: 'failed'; readonly name: string; readonly message: string };

export interface WorkerData {
  readonly context: ReadingContext;
  /** Unpacked bytes that all threads have read. A message for each piece would take a twentieth of the time of reading. */
  readonly readBytes: BigInt64Array<SharedArrayBuffer>;
}

const { context, readBytes } = workerData as WorkerData;
if (parentPort === null) throw new Error('This module runs in a worker thread only');
const port = parentPort;
const send = (message: FromWorker): void => port.postMessage(message);

port.on('message', (member: Member) => {
  readOneMember(context, member, (bytes) => Atomics.add(readBytes, 0, BigInt(bytes))).then(
    (result) => send({ type: 'done', result }),
    (error: Error) => send({ type: 'failed', name: error.constructor.name, message: error.message }),
  );
});
