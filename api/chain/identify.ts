import type { KeyHolder } from '../access/api-key-cache.ts';
import { presentedKey } from '../access/credential.ts';
import type { Service } from '../operation/service.ts';
import type { Context } from './context.ts';

/** The headers in which a key may come. */
export type KeyHeaders = 'any header' | 'X-API-Key only';

/**
 * Finds out whose key the request presents; null when it presents none. One that is refused counts against its address.
 * @throws Problem INVALID_API_KEY for what is no key; RATE_LIMITED when the address has presented too many of that kind
 */
export async function identify(context: Context, service: Service, accepted: KeyHeaders): Promise<KeyHolder | null> {
  const { apiKeys, authFailures } = service;
  const address = service.addressOf(context.req);
  const key = keyOf(context, accepted, () => authFailures.count(address));
  if (key === null) return null;
  // The key of an address that has used up its share is not looked up, unless it was good before.
  if (!authFailures.wasGood(key.prefix)) authFailures.mustHaveRoom(address);
  const identity = await apiKeys(key);
  if (identity.caller === null) authFailures.count(address);
  else authFailures.good(key.prefix);
  return identity;
}

function keyOf(context: Context, accepted: KeyHeaders, failed: () => void): ReturnType<typeof presentedKey> {
  const authorization = accepted === 'X-API-Key only' ? '' : context.get('Authorization');
  try {
    return presentedKey(authorization, context.get('X-API-Key'));
  } catch (error) {
    failed();
    throw error;
  }
}
