import type { Caller } from '../access/caller.ts';
import { missing, presentedKey, refused } from '../access/credential.ts';
import type { Identity } from '../access/keyring.ts';
import { Problem } from '../problem/problem.ts';
import type { Service } from '../service.ts';
import type { Exchange, Step } from './step.ts';

/** Finds out who calls. Public operations ask nobody, so that they answer while the store does not. */
export const authenticate =
  (service: Service): Step =>
  async (exchange, next) => {
    if (exchange.state.operation?.access !== 'public') exchange.state.caller = await callerOf(exchange, service);
    await next();
  };

async function callerOf(exchange: Exchange, service: Service): Promise<Caller> {
  try {
    const identity = await identify(exchange, service);
    if (identity === null) {
      service.refusals.count(service.addressOf(exchange.req));
      throw missing(exchange.state.operation?.older);
    }
    exchange.state.identity = identity;
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
export async function identify(exchange: Exchange, service: Service): Promise<Identity | null> {
  const { keyring, refusals } = service;
  const address = service.addressOf(exchange.req);
  const key = keyOf(exchange, () => refusals.count(address));
  if (key === null) return null;
  // Nobody is looked up for an address that has had its share, but a key that was good is known without looking.
  if (!refusals.wasGood(key.prefix)) refusals.mustHaveRoom(address);
  const identity = await keyring(key);
  if (identity.caller === null) refusals.count(address);
  else refusals.good(key.prefix);
  return identity;
}

function keyOf(exchange: Exchange, isNone: () => void): ReturnType<typeof presentedKey> {
  // The older variant knows no other header.
  const authorization = exchange.state.operation?.older === true ? '' : exchange.get('Authorization');
  try {
    return presentedKey(authorization, exchange.get('X-API-Key'));
  } catch (error) {
    isNone();
    throw error;
  }
}
