/** A hash of texts that both engines compute alike, so that sums over it compare contents. */
export interface InEachEngine {
  readonly duckdb: string;
  readonly clickhouse: string;
}

/** Sums up the first 64 bits of the MD5 of a text over all rows, as the text of a whole number. */
export const digestOf = (text: InEachEngine): InEachEngine => ({
  duckdb: `coalesce(sum(md5_number_upper(${text.duckdb})::HUGEINT), 0)::VARCHAR`,
  clickhouse: `toString(sum(toInt128(reinterpretAsUInt64(substring(MD5(${text.clickhouse}), 1, 8)))))`,
});
