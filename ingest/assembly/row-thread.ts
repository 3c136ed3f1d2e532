import { parentPort, workerData } from 'node:worker_threads';
import type { Kept } from '../../sql/warehouse/rows/merge.ts';
import { type Appended, appendPieces, FormerDamaged } from './row-pieces.ts';

/** A thread that appends pieces to the row file, one after the other. */

/** The arguments of `appendPieces`. */
export interface RowThreadData {
  readonly path: string;
  readonly basis: string;
}

/** The row file of the version before, the piece to append, or null to complete the file. */
export type ToRowThread = { readonly former: string } | { readonly piece: string; readonly kept: Kept | null } | null;

export type RowResult = number | boolean | Appended;

/** One answer for each message, in their order. */
export type FromRowThread = { readonly result: RowResult } | { readonly fault: string; readonly isDamage: boolean };

if (parentPort === null) throw new Error('This module runs in a worker thread only');
const port = parentPort;
const { path, basis } = workerData as RowThreadData;
const file = appendPieces(path, basis);

function answer(message: ToRowThread): Promise<RowResult> {
  if (message === null) return file.finish();
  return 'former' in message ? file.keepFrom(message.former) : file.append(message.piece, message.kept);
}

port.on('message', (message: ToRowThread) => {
  const send = (one: FromRowThread): void => port.postMessage(one);
  answer(message).then(
    (result) => send({ result }),
    (error: Error) => send({ fault: error.message, isDamage: error instanceof FormerDamaged }),
  );
});
