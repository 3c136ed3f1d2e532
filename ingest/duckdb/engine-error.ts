/** Kinds of errors of DuckDB about files, memory and statements; all others may quote values of the export. */
const WITHOUT_VALUES =
  /^(?:IO|Out of Memory|INTERRUPT|INTERNAL|FATAL|Catalog|Binder|Parser|TransactionContext|Permission|Not implemented) Error/i;

/** The error of a statement that needs more memory than the engine may hold. */
export const OUT_OF_MEMORY = /^Out of Memory Error: /i;

export const isOutOfMemory = (error: unknown): boolean => error instanceof Error && OUT_OF_MEMORY.test(error.message);

const KIND = /^[A-Z][A-Za-z ]{2,40} Error(?=:)/;

/** Says whether a statement failed, rather than the work around it. */
export const isEngineError = (error: unknown): error is Error =>
  error instanceof Error && (KIND.test(error.message) || WITHOUT_VALUES.test(error.message));

const SHOWN = 80;

/**
 * An error of DuckDB without values of the export, so that it may be shown, logged and recorded.
 * @param sql the failed statement, whose text holds no values
 */
export function withoutExportValues(error: unknown, sql: string): unknown {
  if (!(error instanceof Error) || WITHOUT_VALUES.test(error.message)) return error;
  const kind = KIND.exec(error.message)?.[0];
  // It is no error of DuckDB, but a stop or a fault of the program.
  if (kind === undefined) return error;
  const statement = sql.trim().replace(/\s+/g, ' ').slice(0, SHOWN);
  return new Error(`${kind}: a value that the engine does not take; it is not repeated. The statement: ${statement} …`);
}

/** An error of appending rows, with a kind as every statement's has: the appender leaves it out for values. */
export function withKind(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(/^Failed to append: /, '');
  if (KIND.test(message)) return new Error(message);
  // The rows were taken, and could not be written: it names a file and no value.
  return new Error(`${message.startsWith('Failed to commit: ') ? 'TransactionContext' : 'Append'} Error: ${message}`);
}
