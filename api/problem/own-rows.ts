import { Problem } from './problem.ts';

/** Refusals that all operations on an organisation's own things have in common. */

/**
 * Finds the row of an id, in whatever case it is written.
 * @param what it is: `alert`
 * @param list the operation that lists them: `GET /v1/alerts`
 * @throws Problem NOT_FOUND
 */
export function rowOfId<Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string,
  what: string,
  list: string,
): Row {
  const found = rows.find((row) => row.id === id.toLowerCase());
  if (found !== undefined) return found;
  throw new Problem('NOT_FOUND', `The organisation has no ${what} with this id; ${list} lists them`);
}

/**
 * @param named says what the row is that has the name: `alert 019a…`
 * @throws Problem CONFLICT when another row than that of this id has the name
 */
export function mustBeFree<Row extends { readonly id: string; readonly name: string }>(
  rows: readonly Row[],
  name: string,
  named: (row: Row) => string,
  id?: string,
): void {
  const namesake = rows.find((row) => row.name === name && row.id !== id);
  if (namesake === undefined) return;
  throw new Problem('CONFLICT', `The ${named(namesake)} has this name already; take another name, or change that one`);
}
