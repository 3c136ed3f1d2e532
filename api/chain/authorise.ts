import { mustHaveModule } from '../access/module.ts';
import { mustHaveTier } from '../older/variant.ts';
import { Problem } from '../problem/problem.ts';
import type { Middleware } from './context.ts';

/** What a call needs, asked in this order: first what the organisation has at all, then what the key may, then the module. */

/** The organisation may use the API; the older variant is offered by tier. */
export const organisation: Middleware = async (context, next) => {
  const { operation, caller } = context.state;
  if (operation?.access === 'api') mustHaveModule(caller!, 'api');
  if (operation?.older === true) mustHaveTier(caller!);
  await next();
};

/** The key carries the scope. */
export const scope: Middleware = async (context, next) => {
  const { operation, caller } = context.state;
  if (operation?.access !== 'public' && operation?.scope != null && !caller!.key.scopes.has(operation.scope)) {
    const has = [...caller!.key.scopes].sort().join(', ') || 'no scope at all';
    throw new Problem('MISSING_SCOPE', `The operation needs the scope ${operation.scope}; the key has ${has}`);
  }
  await next();
};

/** The organisation has booked the module. */
export const module: Middleware = async (context, next) => {
  const { operation, caller } = context.state;
  if (operation?.access !== 'public' && operation?.module != null) mustHaveModule(caller!, operation.module);
  await next();
};
