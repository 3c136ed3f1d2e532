import { DEFAULT_LIMITS } from '../../sql/org/callers.ts';
import type { Module, Scope } from '../../sql/org/rights.ts';
import { Problem } from '../problem/problem.ts';
import { steadyShares } from './auth-failure-limiter.ts';
import type { Caller } from './caller.ts';

/**
 * Whoever calls without a key what the operator has opened to everybody: in the name of an organisation that does not exist, as
 * public links do, so that whatever an operation looks up of its caller, there is nothing to show.
 */

/** No organisation has this id. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

const SCOPES: ReadonlySet<Scope> = new Set(['units:read']);
const MODULES: ReadonlySet<Module> = new Set(['api']);

/** @param perMinute calls of an address */
export function openVisitors(perMinute: number): (address: string) => Caller {
  const ofAddress = steadyShares(perMinute);
  return (address) => {
    const wait = ofAddress.waitOf(address);
    if (wait > 0) {
      throw new Problem(
        'RATE_LIMITED',
        'Too many calls without a key came from this address; with a key they are its own',
        {
          retryAt: Date.now() + wait,
        },
      );
    }
    ofAddress.use(address);
    return {
      key: { id: NOBODY, prefix: '', scopes: SCOPES, unknownScopes: [] },
      organisation: {
        ...{ id: NOBODY, name: '', modules: MODULES, signals: new Set(), alertTemplates: [], trialEndsAt: null },
        ...{ trialEnded: false, limits: { ...DEFAULT_LIMITS, dumps: true }, ownLimits: false, quota: 0 },
      },
      visitor: { address },
    };
  };
}
