/** A dataset version as an export reads it. An engine that can be dumped has one of these. */
export interface DumpSource {
  /** Day of the export that the version was built from, YYYY-MM-DD. */
  readonly exportDay: string;
  readonly units: number;
  /**
   * The units as records of text, some thousand at a time, without line breaks at their ends. What CSV begins with, its
   * header, is the first of them.
   */
  records(format: 'csv' | 'ndjson'): AsyncIterable<readonly string[]>;
  /**
   * Writes the units as a Parquet file that says in its metadata what it is.
   * @param advance told how many more units are done
   */
  parquet(path: string, metadata: Readonly<Record<string, string>>, advance: (units: number) => void): Promise<void>;
  /** From here on the version may be removed. */
  close(): void;
}

export interface DumpOptions {
  /** Calendar day that counts as today, YYYY-MM-DD: delays of planned units are told against it. */
  readonly today: string;
  readonly memoryMb: number;
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
}
