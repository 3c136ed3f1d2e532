/** What a command line speaks with. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly input: NodeJS.ReadableStream;
}
