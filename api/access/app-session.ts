import { createHash } from 'node:crypto';
import { type ApiKeyText, parseApiKey } from '../../sql/org/api-key.ts';
import { tokenSealer } from '../wire/signed-token.ts';

/**
 * The session of the pages under /app: one key in all tabs of a browser, in a cookie that no script can read and only this
 * service can open. The store knows nothing of it: it ends with the browser, or with its key.
 */
export interface AppSession {
  /** Value of `Set-Cookie` that begins a session. */
  begin(key: string): string;
  /** Value of `Set-Cookie` that ends it. */
  readonly end: string;
  readonly cookie: string;
  /** Returns the key in the value of a cookie; null for what this service has not made. */
  keyOf(value: string): ApiKeyText | null;
}

/**
 * The header with which the pages say that they ask in their session. A page of another origin cannot send it, so the cookie
 * alone is nobody's key.
 */
export const SESSION_HEADER = 'X-App-Session';

/** @param key the key that signs @param baseUrl address of the service, which the cookie belongs to */
export function appSession(key: string, baseUrl: string): AppSession {
  const seal = tokenSealer('app session', key);
  const { protocol, pathname } = new URL(baseUrl);
  // Services at several ports of one host would otherwise take each other's cookies away.
  const cookie = `app-session-${createHash('sha256').update(baseUrl).digest('hex').slice(0, 8)}`;
  const secure = protocol === 'https:' ? '; Secure' : '';
  const attributes = `Path=${pathname}; HttpOnly; SameSite=Strict${secure}`;
  return {
    cookie,
    begin: (text) => `${cookie}=${seal.sign(text)}; ${attributes}`,
    end: `${cookie}=; Max-Age=0; ${attributes}`,
    keyOf(value) {
      const text = seal.verify(value);
      return typeof text === 'string' ? parseApiKey(text) : null;
    },
  };
}
