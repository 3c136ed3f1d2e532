import { mustHaveModule } from '../access/module.ts';
import { mustHaveTier } from '../older/variant.ts';
import type { ModuleOperation, ScopedOperation } from '../operation/kinds.ts';
import type { KeyOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import type { CallerState } from './context.ts';
import type { Step } from './step.ts';

/** The rights that a call needs, in this order: first what the organisation has at all, then what the key may, then the module. */

/** Requires that the organisation may use the API. */
export const requireApi: Step<KeyOperation, CallerState> = {
  name: 'require module api',
  problems: () => ['MISSING_MODULE'],
  open: () => () => async (context, next) => {
    mustHaveModule(context.state.caller, 'api');
    await next();
  },
};

/** Requires the tier in which the older variant is offered. */
export const requireTier: Step<KeyOperation, CallerState> = {
  name: 'require tier',
  problems: () => ['INSUFFICIENT_TIER'],
  open: () => () => async (context, next) => {
    mustHaveTier(context.state.caller);
    await next();
  },
};

/** Requires that the key has the scope of the operation. */
export const requireScope: Step<ScopedOperation, CallerState> = {
  name: 'require scope',
  problems: () => ['MISSING_SCOPE'],
  open:
    () =>
    ({ scope }) =>
    async (context, next) => {
      const { scopes } = context.state.caller.key;
      if (!scopes.has(scope)) {
        const has = [...scopes].sort().join(', ') || 'no scope at all';
        throw new Problem('MISSING_SCOPE', `The operation needs the scope ${scope}; the key has ${has}`);
      }
      await next();
    },
};

/** Requires that the organisation has booked the module of the operation. */
export const requireModule: Step<ModuleOperation, CallerState> = {
  name: 'require module',
  problems: () => ['MISSING_MODULE'],
  open:
    () =>
    ({ module }) =>
    async (context, next) => {
      mustHaveModule(context.state.caller, module);
      await next();
    },
};
