import type { TenantSetting } from './driver.ts';
import type { QueryResult } from './embedded-database.ts';
import type { StoreValue } from './statement.ts';

/** Messages between a thread with a database (embedded-worker.ts) and the thread that asks it (embedded-thread.ts). */

/** A request to the database. A turn is a transaction, or a time without statements, that the asking thread begins and ends. */
export type Question =
  | {
      readonly kind: 'query';
      readonly turn: number | null;
      readonly text: string;
      readonly values: readonly StoreValue[];
    }
  | { readonly kind: 'exec'; readonly turn: number | null; readonly text: string }
  /** Answered when the turn has come. */
  | { readonly kind: 'begin'; readonly turn: number; readonly scope: TenantSetting | null }
  /** Answered when the turn is over. */
  | { readonly kind: 'end'; readonly turn: number; readonly how: 'commit' | 'rollback' }
  | { readonly kind: 'close' };

/** Answers name their question by its number. */
export type Asked = Question & { readonly id: number };

export type Answered =
  | { readonly id: number; readonly result: QueryResult | null }
  | { readonly id: number; readonly error: SentError };

/** The id of the first answer: whether the database could be opened. */
export const OPENED = 0;

/** An error with what a message between threads would drop: its name, and its properties such as SQLSTATE. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Besides what is sent by itself, values of parameters: see withoutRowValues. */
const KEPT_BACK: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'params', 'cause']);

const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isPlain) : ['string', 'number', 'boolean'].includes(typeof value);

export function sentError(error: unknown): SentError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const properties = Object.entries(error as object).filter(
    ([property, value]) => !KEPT_BACK.has(property) && isPlain(value),
  );
  return { name, message, stack, properties: Object.fromEntries(properties) };
}

export function receivedError({ name, message, stack, properties }: SentError): Error {
  const error = new Error(message);
  // Not enumerable, as in the error that was sent: the log shows all properties that are.
  Object.defineProperties(error, {
    name: { value: name, configurable: true, writable: true },
    stack: { value: stack, configurable: true, writable: true },
  });
  return Object.assign(error, properties);
}
