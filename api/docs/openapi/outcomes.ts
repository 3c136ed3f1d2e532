import { z } from 'zod';
import { LIMITED_CLASSES } from '../../../sql/org/limits.ts';
import { olderCode } from '../../older/variant.ts';
import type { Operation } from '../../operation/operation.ts';
import { CODES, type Code } from '../../problem/codes.ts';
import { memberSchemas } from './schemas.ts';

/** Which problems a call can end in: those of the chain around the operation, and those of the operation itself. */

export const needsKey = ({ access }: Operation): boolean => access !== 'public';

/** Whether calls count against the window of their cost class. */
export const isLimited = (operation: Operation): boolean =>
  needsKey(operation) && LIMITED_CLASSES.some((name) => name === operation.cost);

export const isPaged = ({ query, body, older }: Operation): boolean =>
  older !== true && [query, body].some((schema) => schema instanceof z.ZodObject && 'cursor' in schema.shape);

const hasBoundedList = ({ query, body }: Operation): boolean =>
  [query, body].some(
    (schema) =>
      schema instanceof z.ZodObject && memberSchemas(schema).some(([, { maxItems }]) => maxItems !== undefined),
  );

const always = (): boolean => true;

/** What the chain gives, and around which operations. */
const OF_THE_CHAIN: Partial<Record<Code, (operation: Operation) => boolean>> = {
  INVALID_PARAMETER: always,
  UNKNOWN_PARAMETER: always,
  TOO_MANY_VALUES: hasBoundedList,
  INVALID_CURSOR: isPaged,
  INVALID_BODY: always,
  MISSING_API_KEY: needsKey,
  INVALID_API_KEY: needsKey,
  INSUFFICIENT_TIER: ({ older }) => older === true,
  MISSING_SCOPE: (operation) => needsKey(operation) && operation.scope !== null,
  MISSING_MODULE: (operation) => operation.access === 'api' || (needsKey(operation) && operation.module !== null),
  NOT_ACCEPTABLE: ({ media }) => media !== '*/*',
  IDEMPOTENCY_KEY_REUSED: ({ replayable }) => replayable === true,
  IDEMPOTENCY_IN_PROGRESS: ({ replayable }) => replayable === true,
  PAYLOAD_TOO_LARGE: always,
  UNSUPPORTED_MEDIA_TYPE: ({ body }) => body !== undefined,
  // Whoever needs a key can be turned away for having had none too often.
  RATE_LIMITED: needsKey,
  QUOTA_EXCEEDED: (operation) => needsKey(operation) && operation.metered !== false,
  INTERNAL_ERROR: always,
  // The store of the organisations, or the register, may not answer.
  SERVICE_UNAVAILABLE: (operation) => needsKey(operation) || operation.source === 'register',
  DATASET_NOT_READY: ({ source }) => source === 'register',
};

/** Codes of requests that reach no operation. */
export const WITHOUT_OPERATION: readonly Code[] = [
  'INVALID_PARAMETER',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'INTERNAL_ERROR',
];

/** Every code that a call of the operation can end in, in the order of the table of codes. */
export function codesOf(operation: Operation): Code[] {
  const codes = ALL.filter(
    (code) => OF_THE_CHAIN[code]?.(operation) === true || operation.problems?.includes(code) === true,
  );
  return operation.older === true ? [...new Set(codes.map(olderCode))] : codes;
}

/** Every code that a request to a service of these operations can end in. */
export function codesOfAll(operations: readonly Operation[]): Code[] {
  const given = new Set([...WITHOUT_OPERATION, ...operations.flatMap(codesOf)]);
  return ALL.filter((code) => given.has(code));
}

const ALL = Object.keys(CODES) as Code[];
