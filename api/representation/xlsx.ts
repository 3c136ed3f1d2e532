import { Worker } from 'node:worker_threads';
import { Problem } from '../problem/problem.ts';
import type { Workbook } from './workbook.ts';
import type { FromXlsxThread } from './xlsx-thread.ts';

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Workbooks that are written or wait for it; whoever comes then is told to come again. */
const MOST_WAITING = 16;

const RETRY_MILLISECONDS = 5_000;

/** A thread takes 400 MB for the largest answer; one that wants more than this ends, and its answer with it. */
const LIMITS = { maxOldGenerationSizeMb: 1024 };

interface Waiting {
  /** The workbook as JSON. */
  readonly text: string;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Waiting[];
}

let started: Thread | null = null;

/**
 * Writes a workbook in a thread of its own, so that other requests do not wait for it: it takes ten times as long as CSV. The
 * thread begins with the first workbook.
 * @throws Problem SERVICE_UNAVAILABLE when too many wait already, or the workbook needs too much memory
 */
export function xlsxBytes(workbook: Workbook): Promise<Buffer> {
  if (started !== null && started.waiting.length >= MOST_WAITING)
    throw unavailable('Too many workbooks are being written; CSV is there at once');
  const text = JSON.stringify(workbook);
  return new Promise((resolve, reject) => write({ text, resolve, reject }));
}

function write(one: Waiting): void {
  started ??= start();
  started.waiting.push(one);
  started.worker.ref();
  started.worker.postMessage(one.text);
}

const unavailable = (detail: string, cause?: unknown): Problem =>
  new Problem('SERVICE_UNAVAILABLE', detail, { retryAt: Date.now() + RETRY_MILLISECONDS, cause });

function start(): Thread {
  const worker = new Worker(new URL('./xlsx-thread.ts', import.meta.url), { resourceLimits: LIMITS });
  const thread: Thread = { worker, waiting: [] };
  worker.on('message', (answer: FromXlsxThread) => {
    const one = thread.waiting.shift();
    // A process that has nothing else to do may end.
    if (thread.waiting.length === 0) worker.unref();
    if ('bytes' in answer) one?.resolve(Buffer.from(answer.bytes.buffer));
    else one?.reject(new Error(`The workbook could not be written: ${answer.fault}`));
  });
  const end = (cause?: unknown): void => {
    if (started === thread) started = null;
    const [ended, ...others] = thread.waiting.splice(0);
    ended?.reject(unavailable('The workbook needs more memory than it may take; ask for less, or for CSV', cause));
    // They have only waited behind it.
    for (const one of others) write(one);
  };
  worker.on('error', end);
  worker.on('exit', () => end());
  return thread;
}
