import { Worker } from 'node:worker_threads';
import { ArchiveError } from '../archive/archive-error.ts';
import type { Member } from '../archive/member.ts';
import { StagedFiles } from '../stage/staged-files.ts';
import { type MemberResult, type ReadingContext, readOneMember } from './read-member.ts';
import type { FromWorker, ToWorker, WorkerData } from './worker.ts';

/** Called with the number of unpacked bytes as they are read. */
type Advance = (bytes: number) => void;

/**
 * Reads members on several threads, each thread one member at a time and the largest first, so that no thread is left
 * alone with a large one at the end. With one thread, that is the caller's: another one would only take time to start.
 * @param progress called with the number of unpacked bytes as they are read
 * @param signal stops all threads
 * @throws the first error of any thread; the others are stopped then
 */
export async function readMembers(
  context: ReadingContext,
  members: readonly Member[],
  threads: number,
  progress: Advance,
  signal?: AbortSignal,
): Promise<MemberResult[]> {
  signal?.throwIfAborted();
  if (threads === 1) return readHere(context, members, progress, signal);
  const queue = members.toSorted((a, b) => b.bytes - a.bytes);
  const results: MemberResult[] = [];
  const readBytes = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  const workers = Array.from({ length: Math.min(threads, queue.length) }, (_, thread) =>
    startWorker({ context, thread, readBytes }),
  );
  let reported = 0;
  const report = () => {
    const bytes = Number(Atomics.load(readBytes, 0)) - reported;
    reported += bytes;
    if (bytes > 0) progress(bytes);
  };
  const reporting = setInterval(report, REPORTED_EVERY_MS);
  const stop = () => {
    for (const worker of workers) worker.terminate();
  };
  signal?.addEventListener('abort', stop);
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let member = queue.shift(); member !== undefined; member = queue.shift()) {
          const reply = await ask(worker, { type: 'read', member }, member.name);
          if (reply.type === 'read') results.push(reply.result);
          report();
        }
        await ask(worker, { type: 'close' }, STAGED_FILES);
      }),
    );
  } finally {
    clearInterval(reporting);
    signal?.removeEventListener('abort', stop);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results.sort((a, b) => a.member - b.member);
}

/** The signal is looked at after each piece, as a large member takes minutes. */
async function readHere(
  context: ReadingContext,
  members: readonly Member[],
  progress: Advance,
  signal?: AbortSignal,
): Promise<MemberResult[]> {
  const advance = (bytes: number) => {
    signal?.throwIfAborted();
    progress(bytes);
  };
  const files = new StagedFiles(context.stage, 0);
  const results: MemberResult[] = [];
  try {
    for (const member of members) {
      results.push(
        await readOneMember(context, files, member, advance).catch((error: Error) => {
          throw error instanceof ArchiveError ? error : failure(member.name, error);
        }),
      );
    }
    files.close();
  } catch (error) {
    files.abort();
    throw error;
  }
  return results.sort((a, b) => a.member - b.member);
}

/** Often enough for a display. */
const REPORTED_EVERY_MS = 200;

/** The subject of errors that no member causes. */
const STAGED_FILES = 'the staged files';

/** Little of what a reading thread makes lives long: more room for it would only be memory that is never given back. */
const LIMITS = { maxYoungGenerationSizeMb: 8 };

function startWorker(data: WorkerData): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { workerData: data, resourceLimits: LIMITS });
}

/** The reply of a thread. @param subject names what an error is about */
function ask(worker: Worker, message: ToWorker, subject: string): Promise<Exclude<FromWorker, { type: 'failed' }>> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
    };
    const onMessage = (reply: FromWorker) => {
      stop();
      if (reply.type === 'failed') reject(failure(subject, reply));
      else resolve(reply);
    };
    const onError = (error: Error) => {
      stop();
      reject(new Error(`${subject}: ${error.message}`));
    };
    const onExit = (code: number) => {
      stop();
      reject(new Error(`${subject}: the reading thread ended (${code})`));
    };
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(message);
  });
}

/** Errors lose their class on the way between threads. */
function failure(subject: string, { name, message }: { name: string; message: string }): Error {
  return name === 'ArchiveError' ? new ArchiveError(message) : new Error(`${subject}: ${message}`);
}
