import { withoutKeys } from './api-key.ts';

/** A secret of a webhook endpoint, also in a URI or a JSON Pointer. */
const WEBHOOK_SECRET = /whsec_[\w+/=%~-]+/g;

/** Replaces the secret of every key and webhook endpoint in a text with ***. */
export const withoutSecrets = (text: string): string => withoutKeys(text).replaceAll(WEBHOOK_SECRET, 'whsec_***');
