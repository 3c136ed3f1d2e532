import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { writeDurably } from '../../runtime/durable-files.ts';

/**
 * An unfinished download: `<file>.partial` and the state that is needed to resume it. The state is written before the
 * first byte, so the download can be resumed however the process ended.
 */

const stateShape = z.object({
  url: z.string(),
  /** For If-Range: a strong entity tag or a Last-Modified time; null when the server sends neither. */
  validator: z.string().nullable(),
  /** Bytes of the whole file; null when the server does not say. */
  length: z.number().int().nullable(),
});

export type PartialState = z.infer<typeof stateShape>;

/** The state of a download that can be resumed, since the server can check whether the file is still the same. */
type ResumableState = PartialState & { readonly validator: string };

export interface PartialDownload {
  readonly path: string;
  /** Bytes downloaded so far. */
  size(): number;
  /** The state of the download from an address; null when it cannot be resumed. */
  state(url: string): ResumableState | null;
  /** Discards what was downloaded and starts again. */
  begin(state: PartialState): void;
  clear(): void;
}

export function partialDownload(file: string): PartialDownload {
  const path = `${file}.partial`;
  const stateFile = `${path}.json`;
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const clear = () => {
    for (const name of [stateFile, path]) rmSync(name, { force: true });
  };
  return {
    path,
    size,
    clear,
    state(url) {
      const state = readState(stateFile);
      if (state === null || state.url !== url || state.validator === null || size() === 0) return null;
      const { validator } = state;
      return state.length !== null && size() > state.length ? null : { ...state, validator };
    },
    begin(state) {
      writeFileSync(path, '', { flag: 'a' });
      // The file is emptied before the state is written; otherwise bytes of another file would pass for its beginning.
      truncateSync(path);
      writeDurably(stateFile, `${JSON.stringify(state)}\n`);
    },
  };
}

/** Null when there is no state, or the file was not written by a download. */
function readState(path: string): PartialState | null {
  try {
    return stateShape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
