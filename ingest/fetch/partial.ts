import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { writeDurably } from '../../runtime/durable-files.ts';

/**
 * A download under way: `<file>.partial`, and beside it what is needed to go on with it. The state is written before the
 * first byte, so whatever ends the process leaves something that can be gone on with.
 */

const stateShape = z.object({
  url: z.string(),
  /** For If-Range: a strong entity tag or a time of change; null where the server gives neither. */
  validator: z.string().nullable(),
  /** Bytes of the whole file; null where the server does not say. */
  length: z.number().int().nullable(),
});

export type PartialState = z.infer<typeof stateShape>;

/** The state of a download that can be resumed: the server can tell whether the file is still the same. */
type ResumableState = PartialState & { readonly validator: string };

export interface Partial {
  readonly path: string;
  /** Bytes that are there. */
  size(): number;
  /** The state of the download from an address; null when it cannot be resumed. */
  state(url: string): ResumableState | null;
  /** Throws away what is there and begins with nothing. */
  begin(state: PartialState): void;
  clear(): void;
}

export function partialOf(file: string): Partial {
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
      // Nothing before the state: bytes of another file would be taken for its beginning.
      truncateSync(path);
      writeDurably(stateFile, `${JSON.stringify(state)}\n`);
    },
  };
}

/** Null when there is none, or none that a download has written. */
function readState(path: string): PartialState | null {
  try {
    return stateShape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
