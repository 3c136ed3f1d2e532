/** Sorts texts by their bytes in UTF-8, as Postgres does with the collation "C". */
export const inByteOrder = (texts: readonly string[]): string[] =>
  texts.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
