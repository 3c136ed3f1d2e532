import type { Caller } from '../access/caller.ts';
import { invalidCredential, missing } from '../access/credential.ts';
import type { PortalLinks } from '../access/portal-links.ts';
import type { KeyOperation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import type { Context, OperationContext, RequestState } from './context.ts';
import { identify, type KeyHeaders } from './identify.ts';
import type { Step } from './step.ts';

/** Finds out who calls. Public operations have no such step, so that they answer while the store does not. */
export const authenticate: Step<KeyOperation, RequestState, { caller: Caller }> = {
  name: 'authenticate',
  // An address that has sent too many bad keys is refused, and the store may not answer.
  problems: ({ access }) =>
    access === 'link'
      ? ['LINK_EXPIRED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE']
      : ['MISSING_API_KEY', 'INVALID_API_KEY', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
  open: (service) => (operation) => {
    if (operation.access === 'link') {
      return async (context, next) => next({ caller: await callerByLink(context, service.portalLinks) });
    }
    const accepted = operation.older === true ? 'X-API-Key only' : 'any header';
    return async (context, next) => next({ caller: await callerOf(context, service, accepted) });
  },
};

async function callerOf(context: Context, service: Service, accepted: KeyHeaders): Promise<Caller> {
  try {
    const identity = await identify(context, service, accepted);
    if (identity === null) {
      service.authFailures.count(service.addressOf(context.req));
      throw missing(accepted === 'X-API-Key only');
    }
    context.state.identity = identity;
    if (identity.caller === null) throw invalidCredential(identity.refusal ?? 'No such API key');
    return identity.caller;
  } catch (error) {
    if (error instanceof Problem) service.metrics.callRefused(REASONS[error.code] ?? 'no_key');
    throw error;
  }
}

/** Finds the caller of a page: whoever has the link calls in the name of the key that the link was made with. */
async function callerByLink(context: OperationContext, links: PortalLinks): Promise<Caller> {
  const holder = await links.holderOf(links.read(context.params.token ?? ''));
  context.state.identity = holder;
  return holder.caller;
}

const REASONS: Readonly<Record<string, 'no_key' | 'wrong_key' | 'too_many'>> = {
  INVALID_API_KEY: 'wrong_key',
  RATE_LIMITED: 'too_many',
};
