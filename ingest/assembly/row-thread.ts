import { parentPort, workerData } from 'node:worker_threads';
import { appendPieces } from './row-pieces.ts';

/** A thread that appends pieces to the row file, one after the other. */

/** The piece to append; null = complete the file. */
export type ToRowThread = string | null;

/** One answer for each message, in their order. */
export type FromRowThread = { readonly units: number } | { readonly fault: string };

if (parentPort === null) throw new Error('This module runs in a worker thread only');
const port = parentPort;
const file = appendPieces(workerData as string);

port.on('message', (piece: ToRowThread) => {
  const send = (answer: FromRowThread): void => port.postMessage(answer);
  (piece === null ? file.finish() : file.append(piece)).then(
    (units) => send({ units }),
    (error: Error) => send({ fault: error.message }),
  );
});
