/** The three streams of a command line; tests put their own in place of the process's. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly input: NodeJS.ReadableStream;
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  input: process.stdin,
};
