import { parentPort } from 'node:worker_threads';
import { type Workbook, workbookBytes } from './workbook.ts';

/** A thread that writes workbooks, one after the other. */

/** One answer for each workbook, in their order. */
export type FromXlsxThread = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly fault: string };

if (parentPort === null) throw new Error('This module runs in a worker thread only');
const port = parentPort;
let last = Promise.resolve();

port.on('message', (json: string) => {
  last = last.then(async () => port.postMessage(await written(JSON.parse(json))));
});

async function written(workbook: Workbook): Promise<FromXlsxThread> {
  try {
    return { bytes: new Uint8Array(await workbookBytes(workbook)) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
