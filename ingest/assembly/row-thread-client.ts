import { Worker } from 'node:worker_threads';
import { type Appended, FormerDamaged, type PieceAppender } from './row-pieces.ts';
import type { FromRowThread, RowResult, RowThreadData, ToRowThread } from './row-thread.ts';

/** Appends in a thread of its own. @param basis see rowBasis */
export function startRowThread(path: string, basis: string): PieceAppender {
  const worker = new Worker(new URL('./row-thread.ts', import.meta.url), {
    workerData: { path, basis } satisfies RowThreadData,
  });
  const waiting: { readonly resolve: (result: RowResult) => void; readonly reject: (error: Error) => void }[] = [];
  let fault: Error | null = null;

  const fail = (error: Error): void => {
    fault ??= error;
    for (const one of waiting.splice(0)) one.reject(fault);
  };
  worker.on('message', (answer: FromRowThread) => {
    if ('result' in answer) waiting.shift()?.resolve(answer.result);
    else fail(answer.isDamage ? new FormerDamaged(answer.fault) : new Error(answer.fault));
  });
  worker.on('error', (error) => fail(error as Error));
  worker.on('exit', (code) => fail(new Error(`The thread that writes the row file ended (${code})`)));

  const ask = (message: ToRowThread): Promise<RowResult> =>
    new Promise((resolve, reject) => {
      if (fault !== null) {
        reject(fault);
        return;
      }
      waiting.push({ resolve, reject });
      worker.postMessage(message);
    });
  const stop = async (): Promise<void> => void (await worker.terminate());
  return {
    keepFrom: async (former) => (await ask({ former })) === true,
    append: async (piece, kept) => (await ask({ piece, kept })) as Appended,
    async finish() {
      const units = Number(await ask(null));
      await stop();
      return units;
    },
    abort: stop,
  };
}
