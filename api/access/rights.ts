import type { Scope } from '../../sql/org/rights.ts';
import { INSTEAD, MODULES, type Module } from '../../sql/org/rights.ts';
import { Problem } from '../problem/problem.ts';
import type { Booked } from './booked.ts';
import type { Caller } from './caller.ts';

/**
 * Refuses what the organisation has not booked.
 * @param what needs the module, as the sentence begins
 * @throws Problem MISSING_MODULE naming it
 */
export function mustHaveModule(
  { organisation }: { readonly organisation: Booked },
  name: Module,
  what = 'The operation',
): void {
  if (organisation.modules.has(name)) return;
  const why = organisation.trialEnded
    ? `its trial ended on ${organisation.trialEndsAt}`
    : 'the organisation has not booked it';
  const instead = INSTEAD[name];
  const hint = instead === undefined ? '' : `; ${instead} answers without it`;
  throw new Problem('MISSING_MODULE', `${what} needs the module ${name} (${MODULES[name]}): ${why}${hint}`);
}

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
