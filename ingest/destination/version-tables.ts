/** The part of a table that is read of a version, where it has to be fetched: an order of columns, and a condition of ClickHouse. */
interface WantedRows {
  /** All by default. */
  readonly columns?: readonly string[];
  readonly where?: string;
}

/** Tables of a version by their names. */
export type WantedTables = Readonly<Record<string, WantedRows>>;
