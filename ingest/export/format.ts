/** The formats of a dump; each is the ending of its file. */
export const FORMATS = ['parquet', 'csv', 'ndjson'] as const;

export type Format = (typeof FORMATS)[number];

/** What ends a record: RFC 4180 asks for both characters. */
export const RECORD_END = { csv: '\r\n', ndjson: '\n' } as const;
