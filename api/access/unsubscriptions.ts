import { isUuid } from '../../sql/org/organisations.ts';
import { tokenSigner } from '../wire/signed-token.ts';

/** Links in messages, each of which stops the messages of one alert to one address. They hold for ever. */
export interface Unsubscriptions {
  /** @param id of the address of the alert */
  tokenOf(id: string): string;
  /** The id; null for what is none of our links. */
  idOf(token: string): string | null;
}

/** @param key the key that signs */
export function unsubscriptions(key: string): Unsubscriptions {
  const signer = tokenSigner('alert email', key);
  return {
    tokenOf: (id) => signer.sign(id),
    idOf(token) {
      const id = signer.verify(token);
      return typeof id === 'string' && isUuid(id) ? id : null;
    },
  };
}
