import { Worker } from 'node:worker_threads';
import type { PieceAppender } from './row-pieces.ts';
import type { FromRowThread, ToRowThread } from './row-thread.ts';

/** Appends in a thread of its own. */
export function startRowThread(path: string): PieceAppender {
  const worker = new Worker(new URL('./row-thread.ts', import.meta.url), { workerData: path });
  const waiting: { readonly resolve: (units: number) => void; readonly reject: (error: Error) => void }[] = [];
  let fault: Error | null = null;

  const fail = (error: Error): void => {
    fault ??= error;
    for (const one of waiting.splice(0)) one.reject(fault);
  };
  worker.on('message', (answer: FromRowThread) => {
    if ('fault' in answer) fail(new Error(answer.fault));
    else waiting.shift()?.resolve(answer.units);
  });
  worker.on('error', (error) => fail(error as Error));
  worker.on('exit', (code) => fail(new Error(`The thread that writes the row file ended (${code})`)));

  const ask = (message: ToRowThread): Promise<number> =>
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
    append: (piece) => ask(piece),
    async finish() {
      const units = await ask(null);
      await stop();
      return units;
    },
    abort: stop,
  };
}
