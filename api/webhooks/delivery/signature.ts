import { createHmac } from 'node:crypto';
import { signingKeyOf } from '../../../sql/org/webhooks/secrets.ts';

/** Signatures as Standard Webhooks 1.0 defines them (https://www.standardwebhooks.com), which every language can verify. */

export interface SignedMessage {
  /** The id of the message, the same in every attempt, so that a receiver recognises what it has already. */
  readonly id: string;
  /** The body as it is sent, byte by byte. */
  readonly body: string;
  /** `whsec_` and the key in base64: the current secret, and the one before while it holds. */
  readonly secrets: readonly string[];
}

export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Signs a message with each of its secrets. The time is part of what is signed, so that nobody can repeat it later.
 * @throws Error for a secret that is none
 */
export function signatureHeaders({ id, body, secrets }: SignedMessage, at: Date): SignatureHeaders {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signature(content, secret)}`).join(' '),
  };
}

const signature = (content: string, secret: string): string =>
  createHmac('sha256', signingKeyOf(secret)).update(content).digest('base64');
