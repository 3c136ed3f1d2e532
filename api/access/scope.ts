import type { Scope } from '../../sql/org/rights.ts';
import { Problem } from '../problem/problem.ts';
import type { Caller } from './caller.ts';

/**
 * Refuses what the key was not made for.
 * @param what needs the scope, as the sentence begins
 * @throws Problem MISSING_SCOPE naming it
 */
export function mustHaveScope({ key: { scopes } }: Pick<Caller, 'key'>, scope: Scope, what = 'The operation'): void {
  if (scopes.has(scope)) return;
  const has = [...scopes].sort().join(', ') || 'no scope at all';
  throw new Problem('MISSING_SCOPE', `${what} needs the scope ${scope}; the key has ${has}`);
}
