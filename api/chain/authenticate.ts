import type { Identity } from '../access/api-key-cache.ts';
import type { Caller } from '../access/caller.ts';
import { missing, presentedKey, refused } from '../access/credential.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import type { Context, Middleware } from './context.ts';

/** Finds out who calls. Public operations ask nobody, so that they answer while the store does not. */
export const authenticate =
  (service: Service): Middleware =>
  async (context, next) => {
    if (context.state.operation?.access !== 'public') context.state.caller = await callerOf(context, service);
    await next();
  };

async function callerOf(context: Context, service: Service): Promise<Caller> {
  try {
    const identity = await identify(context, service);
    if (identity === null) {
      service.authFailures.count(service.addressOf(context.req));
      throw missing(context.state.operation?.older);
    }
    context.state.identity = identity;
    if (identity.caller === null) throw refused(identity.refusal ?? 'No such API key');
    return identity.caller;
  } catch (error) {
    if (error instanceof Problem) service.metrics.callRefused(REASONS[error.code] ?? 'no_key');
    throw error;
  }
}

const REASONS: Readonly<Record<string, 'no_key' | 'wrong_key' | 'too_many'>> = {
  INVALID_API_KEY: 'wrong_key',
  RATE_LIMITED: 'too_many',
};

/**
 * Finds out whose key the request presents; null when it presents none. One that opens nothing counts against its address.
 * @throws Problem INVALID_API_KEY for what is no key; RATE_LIMITED when the address has presented too many of that kind
 */
export async function identify(context: Context, service: Service): Promise<Identity | null> {
  const { apiKeys, authFailures } = service;
  const address = service.addressOf(context.req);
  const key = keyOf(context, () => authFailures.count(address));
  if (key === null) return null;
  // Nobody is looked up for an address that has had its share, but a key that was good is known without looking.
  if (!authFailures.wasGood(key.prefix)) authFailures.mustHaveRoom(address);
  const identity = await apiKeys(key);
  if (identity.caller === null) authFailures.count(address);
  else authFailures.good(key.prefix);
  return identity;
}

function keyOf(context: Context, isNone: () => void): ReturnType<typeof presentedKey> {
  // The older variant knows no other header.
  const authorization = context.state.operation?.older === true ? '' : context.get('Authorization');
  try {
    return presentedKey(authorization, context.get('X-API-Key'));
  } catch (error) {
    isNone();
    throw error;
  }
}
