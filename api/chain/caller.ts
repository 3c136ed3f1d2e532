import { type ApiKeyText, parseApiKey } from '../../sql/org/api-key.ts';
import type { KeyHolder } from '../access/api-key-cache.ts';
import { type AppSession, SESSION_HEADER } from '../access/app-session.ts';
import type { Caller } from '../access/caller.ts';
import type { PortalLinks } from '../access/portal-links.ts';
import { mustHaveModule, mustHaveScope } from '../access/rights.ts';
import { openVisitors } from '../access/visitors.ts';
import { mustHaveTier } from '../older/variant.ts';
import type { ModuleOperation, ScopedOperation } from '../operation/kinds.ts';
import type { KeyOperation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import type { CallerState, Context, OperationContext, RequestState } from './context.ts';
import { openerOf, presentedToken, visitorOf } from './share.ts';
import type { Step } from './step.ts';

/**
 * Parses the key that a request presents: `Authorization: Bearer <key>`, or `X-API-Key: <key>`.
 * @returns null when it presents none
 * @throws Problem INVALID_API_KEY for what cannot be a key, or for two that differ
 */
function presentedKey(authorization: string, xApiKey: string): ApiKeyText | null {
  const bearer = BEARER.exec(authorization)?.[1];
  const direct = xApiKey.trim();
  if (bearer === undefined && direct === '') {
    if (authorization === '') return null;
    throw invalidCredential('Authorization must be `Bearer <API key>`');
  }
  if (bearer !== undefined && direct !== '' && bearer !== direct) {
    throw invalidCredential('Authorization and X-API-Key carry different keys; send one of them');
  }
  const key = parseApiKey(bearer ?? direct);
  if (key !== null) return key;
  throw invalidCredential('The API key is not complete or mistyped: its form or its checksum is wrong');
}

const BEARER = /^Bearer +(\S+) *$/i;

const invalidCredential = (detail: string): Problem => new Problem('INVALID_API_KEY', detail, CHALLENGE);

/** @param older true when the key can only come as X-API-Key, as in the older variant */
const missing = (older: boolean): Problem => {
  const how = older ? 'X-API-Key' : '`Authorization: Bearer <API key>` or as X-API-Key';
  return new Problem('MISSING_API_KEY', `Send an API key as ${how}`, CHALLENGE);
};

const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer' } } as const;

/** The headers in which a key may come. */
export type KeyHeaders = 'any header' | 'X-API-Key only';

/**
 * Finds out whose key the request presents; null when it presents none. One that is refused counts against its address.
 * @throws Problem INVALID_API_KEY for what is no key; RATE_LIMITED when the address has presented too many of that kind
 */
export async function identify(context: Context, service: Service, accepted: KeyHeaders): Promise<KeyHolder | null> {
  const { apiKeys, appSession, authFailures } = service;
  const address = service.addressOf(context.req);
  const key = keyOf(context, accepted, appSession, () => authFailures.count(address));
  if (key === null) return null;
  // The key of an address that has used up its share is not looked up, unless it was good before.
  if (!authFailures.wasGood(key.prefix)) authFailures.mustHaveRoom(address);
  const identity = await apiKeys(key);
  if (identity.caller === null) authFailures.count(address);
  else authFailures.good(key.prefix);
  return identity;
}

function keyOf(
  context: Context,
  accepted: KeyHeaders,
  session: AppSession,
  failed: () => void,
): ReturnType<typeof presentedKey> {
  const authorization = accepted === 'X-API-Key only' ? '' : context.get('Authorization');
  try {
    const key = presentedKey(authorization, context.get('X-API-Key'));
    return key ?? (accepted === 'any header' ? keyOfSession(context, session) : null);
  } catch (error) {
    failed();
    throw error;
  }
}

/** The pages send no key but a cookie; with the header that other origins cannot send, it stands for one. */
const keyOfSession = (context: Context, { cookie, keyOf }: AppSession): ApiKeyText | null =>
  context.get(SESSION_HEADER) === '' ? null : keyOf(context.cookies.get(cookie) ?? '');

/** Whoever is known without having sent a key is so by the cookie. */
const presentsKey = (context: Context): boolean =>
  context.get('Authorization') + context.get('X-API-Key').trim() !== '';

/** Finds out who calls. Public operations have no such step, so that they answer while the store does not. */
export const authenticate: Step<KeyOperation, RequestState, { caller: Caller }> = {
  name: 'authenticate',
  // An address that has sent too many bad keys is refused, and the store may not answer.
  problems: ({ access, shared }) =>
    access === 'link' || access === 'share'
      ? ['LINK_EXPIRED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE']
      : [
          ...(['MISSING_API_KEY', 'INVALID_API_KEY', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'] as const),
          ...(shared === true ? (['LINK_EXPIRED', 'NOT_SHARED'] as const) : []),
        ],
  open: (service) => (operation) => {
    if (operation.access === 'link') {
      return async (context, next) => next({ caller: await callerByLink(context, service.portalLinks) });
    }
    if (operation.access === 'share') {
      return async (context, next) => next({ caller: await openerOf(context, service) });
    }
    const accepted = operation.older === true ? 'X-API-Key only' : 'any header';
    if (operation.openToAll?.(service.settings) === true) {
      const visitorAt = openVisitors(service.settings.SHARED_CALLS_PER_MINUTE);
      return async (context, next) => {
        const isKnown = presentsKey(context) || context.get(SESSION_HEADER) !== '';
        const caller = isKnown ? await callerOf(context, service, accepted) : visitorAt(service.addressOf(context.req));
        await next({ caller });
      };
    }
    return async (context, next) => {
      const token = presentedToken(context, operation);
      const caller =
        token === null
          ? await callerOf(context, service, accepted)
          : await visitorOf(context, operation, service, token);
      await next({ caller });
    };
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
    return presentsKey(context) ? identity.caller : { ...identity.caller, session: true };
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
      mustHaveScope(context.state.caller, scope);
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
