/** The formats of a dump; each is the ending of its file. */
export const FORMATS = ['parquet', 'csv', 'ndjson'] as const;

export type Format = (typeof FORMATS)[number];
