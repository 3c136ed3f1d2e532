import { createHmac, timingSafeEqual } from 'node:crypto';

/** Texts that callers carry for us and can read, but neither make nor change. */

const SIGNATURE_BYTES = 16;

export interface TokenSigner {
  /** @param content anything that is JSON */
  sign(content: unknown): string;
  /** Returns the content, or undefined when this service has not signed exactly this text for this purpose. */
  verify(text: string): unknown;
}

/**
 * Signs with HMAC-SHA-256, cut to 16 bytes: a token is the base64url of signature and JSON. A token for one purpose is valid
 * for no other.
 */
export function tokenSigner(purpose: string, key: string): TokenSigner {
  const signatureOf = (content: Buffer): Buffer =>
    createHmac('sha256', key).update(`${purpose}\0`).update(content).digest().subarray(0, SIGNATURE_BYTES);
  return {
    sign(value) {
      const content = Buffer.from(JSON.stringify(value));
      return Buffer.concat([signatureOf(content), content]).toString('base64url');
    },
    verify(text) {
      const bytes = Buffer.from(text, 'base64url');
      // Decoding ignores spare bits and foreign characters; only the one canonical spelling is accepted.
      if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== text) return undefined;
      const content = bytes.subarray(SIGNATURE_BYTES);
      if (!timingSafeEqual(signatureOf(content), bytes.subarray(0, SIGNATURE_BYTES))) return undefined;
      return JSON.parse(content.toString());
    },
  };
}
