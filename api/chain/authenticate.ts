import { missing, presentedKey, refused } from '../access/credential.ts';
import type { Identity } from '../access/keyring.ts';
import type { Service } from '../service.ts';
import type { Exchange, Step } from './step.ts';

/** Finds out who calls. Public operations ask nobody, so that they answer while the store does not. */
export const authenticate =
  (service: Service): Step =>
  async (exchange, next) => {
    if (exchange.state.operation?.access !== 'public') {
      const identity = await identify(exchange, service);
      if (identity === null) throw missing(exchange.state.operation?.older);
      exchange.state.identity = identity;
      if (identity.caller === null) throw refused(identity.refusal ?? 'No such API key');
      exchange.state.caller = identity.caller;
    }
    await next();
  };

/** Whose key the request presents; null when it presents none. */
export async function identify(exchange: Exchange, { keyring }: Service): Promise<Identity | null> {
  // The older variant knows no other header.
  const authorization = exchange.state.operation?.older === true ? '' : exchange.get('Authorization');
  const key = presentedKey(authorization, exchange.get('X-API-Key'));
  return key === null ? null : await keyring(key);
}
