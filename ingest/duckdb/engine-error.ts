/** Kinds of the engine's errors that speak of files, memory and statements; all others quote values out of the export. */
const WITHOUT_VALUES =
  /^(?:IO|Out of Memory|INTERRUPT|INTERNAL|FATAL|Catalog|Binder|Parser|TransactionContext|Permission|Not implemented) Error/i;

const KIND = /^[A-Z][A-Za-z ]{2,40} Error(?=:)/;

const SHOWN = 80;

/**
 * An error of the engine as it may be told, logged and kept in the record of nights: without a value of the export.
 * @param sql the statement that failed; its text is ours, values are bound
 */
export function withoutExportValues(error: unknown, sql: string): unknown {
  if (!(error instanceof Error) || WITHOUT_VALUES.test(error.message)) return error;
  const kind = KIND.exec(error.message)?.[0];
  // Not an error of the engine: a stop, a fault of the program.
  if (kind === undefined) return error;
  const statement = sql.trim().replace(/\s+/g, ' ').slice(0, SHOWN);
  return new Error(`${kind}: a value that the engine does not take; it is not repeated. The statement: ${statement} …`);
}
