import { createHmac, timingSafeEqual } from 'node:crypto';

/** Texts that callers carry for us and cannot make or change: what they say is readable, that we said it is proven. */

const SEAL_BYTES = 16;

export interface Seal {
  /** @param content anything that is JSON */
  seal(content: unknown): string;
  /** What was sealed, or undefined when this service has not sealed exactly this text for this purpose. */
  open(text: string): unknown;
}

/** Seals with HMAC-SHA-256, cut to 16 bytes: base64url of seal and JSON. What is sealed for one purpose opens for no other. */
export function sealFor(purpose: string, key: string): Seal {
  const sealOf = (content: Buffer): Buffer =>
    createHmac('sha256', key).update(`${purpose}\0`).update(content).digest().subarray(0, SEAL_BYTES);
  return {
    seal(value) {
      const content = Buffer.from(JSON.stringify(value));
      return Buffer.concat([sealOf(content), content]).toString('base64url');
    },
    open(text) {
      const bytes = Buffer.from(text, 'base64url');
      // Decoding forgives spare bits and foreign characters; only the one true spelling counts.
      if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== text) return undefined;
      const content = bytes.subarray(SEAL_BYTES);
      if (!timingSafeEqual(sealOf(content), bytes.subarray(0, SEAL_BYTES))) return undefined;
      return JSON.parse(content.toString());
    },
  };
}
