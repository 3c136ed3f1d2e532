import { runData } from '../../data/command-line.ts';

export interface GeneratorResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line of the generator in this process. @param signal stops it */
export async function runGenerator(
  words: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<GeneratorResult> {
  let out = '';
  let err = '';
  const code = await runData(words, {
    terminal: {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    },
    interactive: false,
    signal,
  });
  return { code, out, err };
}
