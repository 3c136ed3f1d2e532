import { z } from 'zod';
import { chainProblems, FRAME } from '../../chain/chain.ts';
import { ROUTING_PROBLEMS } from '../../chain/router.ts';
import { olderCode } from '../../older/variant.ts';
import type { Operation } from '../../operation/operation.ts';
import { CODES, type Code } from '../../problem/codes.ts';
import { memberSchemas } from './schemas.ts';

/** The problems in which a call can end: those of the chain around the operation, and those of the operation itself. */

export const isPaged = ({ query, body, older }: Operation): boolean =>
  older !== true && [query, body].some((schema) => schema instanceof z.ZodObject && 'cursor' in schema.shape);

/** A body may have too many values as a whole, whatever its members are. */
const canHaveTooMany = ({ query, body }: Operation): boolean =>
  body !== undefined || memberSchemas(query).some(([, { maxItems }]) => maxItems !== undefined);

/** Faults that only some schemas can have. */
const OF_SCHEMAS: Partial<Record<Code, (operation: Operation) => boolean>> = {
  TOO_MANY_VALUES: canHaveTooMany,
  INVALID_CURSOR: isPaged,
};

/** Codes of requests that reach no operation. */
export const WITHOUT_OPERATION: readonly Code[] = inOrder([
  ...FRAME.flatMap((step) => step.problems),
  ...ROUTING_PROBLEMS,
]);

/** Every code that a call of the operation can end in, in the order of the table of codes. */
export function codesOf(operation: Operation): Code[] {
  const ofChain = chainProblems(operation).filter((code) => OF_SCHEMAS[code]?.(operation) !== false);
  const codes = inOrder([...ofChain, ...(operation.problems ?? [])]);
  return operation.older === true ? [...new Set(codes.map(olderCode))] : codes;
}

/**
 * The codes whose example operations share.
 * @param hasOwn true when an operation has an example of its own for a code
 */
export const codesWithSharedExample = (
  operations: readonly Operation[],
  hasOwn: (operation: Operation, code: Code) => boolean,
): Code[] =>
  inOrder([
    ...WITHOUT_OPERATION,
    ...operations.flatMap((operation) => codesOf(operation).filter((code) => !hasOwn(operation, code))),
  ]);

/** Each code once, in the order of the table of codes. */
function inOrder(codes: readonly Code[]): Code[] {
  return (Object.keys(CODES) as Code[]).filter((code) => codes.includes(code));
}
