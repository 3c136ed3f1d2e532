import { withoutKeys } from './api-key.ts';

/** A secret of a webhook endpoint, also in a URI or a JSON Pointer. */
const WEBHOOK_SECRET = /whsec_[\w+/=%~-]+/g;

/** The token of a link to the delivery log, which opens without a key; also one that was altered or cut off. */
const PORTAL_TOKEN = /(\/portal\/+)[^/?#&"'<>\s]{16,}/gi;

/** Replaces the secret of every key and webhook endpoint, and the token of every link, in a text with ***. */
export const withoutSecrets = (text: string): string =>
  withoutKeys(text).replaceAll(WEBHOOK_SECRET, 'whsec_***').replaceAll(PORTAL_TOKEN, '$1***');
