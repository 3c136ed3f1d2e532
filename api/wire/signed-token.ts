import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Texts that callers carry for us and neither make nor change. They can read those that are signed only. */

const SIGNATURE_BYTES = 16;

export interface TokenSigner {
  /** @param content anything that is JSON */
  sign(content: unknown): string;
  /** Returns the content, or undefined when this service has not signed exactly this text for this purpose. */
  verify(text: string): unknown;
}

/**
 * Signs with HMAC-SHA-256, cut to 16 bytes: a token is the base64url of signature and JSON. A token for one purpose is
 * valid for no other.
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

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Makes tokens that nobody can read but this service: AES-256-GCM, which signs as well, with a key that is derived from
 * the one that signs. They are for content that must not stand in the logs of a caller or a proxy.
 */
export function tokenSealer(purpose: string, key: string): TokenSigner {
  const derived = Buffer.from(hkdfSync('sha256', key, '', `sealed ${purpose}`, 32));
  return {
    sign(value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derived, nonce);
      const content = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
    },
    verify(text) {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', derived, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const content = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return JSON.parse(Buffer.concat(content).toString());
      } catch {
        return undefined;
      }
    },
  };
}
