/** A hash of texts that both engines compute alike, so that sums over it compare contents. */
export interface InEachEngine {
  readonly duckdb: string;
  readonly clickhouse: string;
}

/**
 * Sums up the last 64 bits of the MD5 of a text over all rows, as the text of a whole number. In DuckDB `md5_number` takes a third
 * less time than the functions for half of it.
 */
export const digestOf = (text: InEachEngine): InEachEngine => ({
  duckdb: `coalesce(sum((md5_number(${text.duckdb}) >> 64)::HUGEINT), 0)::VARCHAR`,
  clickhouse: `toString(coalesce(sum(toInt128(reinterpretAsUInt64(substring(MD5(${text.clickhouse}), 9, 8)))), 0))`,
});
