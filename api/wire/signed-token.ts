import { createHmac, timingSafeEqual } from 'node:crypto';

/** Texts that callers carry for us and cannot make or change: what they say is readable, that we said it is proven. */

const SIGNATURE_BYTES = 16;

export interface TokenSigner {
  /** @param content anything that is JSON */
  sign(content: unknown): string;
  /** What was sealed, or undefined when this service has not sealed exactly this text for this purpose. */
  verify(text: string): unknown;
}

/** Seals with HMAC-SHA-256, cut to 16 bytes: base64url of seal and JSON. What is sealed for one purpose opens for no other. */
export function tokenSigner(purpose: string, key: string): TokenSigner {
  const sealOf = (content: Buffer): Buffer =>
    createHmac('sha256', key).update(`${purpose}\0`).update(content).digest().subarray(0, SIGNATURE_BYTES);
  return {
    sign(value) {
      const content = Buffer.from(JSON.stringify(value));
      return Buffer.concat([sealOf(content), content]).toString('base64url');
    },
    verify(text) {
      const bytes = Buffer.from(text, 'base64url');
      // Decoding forgives spare bits and foreign characters; only the one true spelling counts.
      if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== text) return undefined;
      const content = bytes.subarray(SIGNATURE_BYTES);
      if (!timingSafeEqual(sealOf(content), bytes.subarray(0, SIGNATURE_BYTES))) return undefined;
      return JSON.parse(content.toString());
    },
  };
}
