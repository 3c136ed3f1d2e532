import { type ApiKeyText, parseApiKey } from '../../sql/org/api-key.ts';
import { Problem } from '../problem/problem.ts';

/**
 * Parses the key that a request presents: `Authorization: Bearer <key>`, or `X-API-Key: <key>`.
 * @returns null when it presents none
 * @throws Problem INVALID_API_KEY for what cannot be a key, or for two that differ
 */
export function presentedKey(authorization: string, xApiKey: string): ApiKeyText | null {
  const bearer = BEARER.exec(authorization)?.[1];
  const direct = xApiKey.trim();
  if (bearer === undefined && direct === '') {
    if (authorization === '') return null;
    throw invalidCredential('Authorization must be `Bearer <API key>`');
  }
  if (bearer !== undefined && direct !== '' && bearer !== direct) {
    throw invalidCredential('Authorization and X-API-Key carry different keys; send one of them');
  }
  const key = parseApiKey(bearer ?? direct);
  if (key !== null) return key;
  throw invalidCredential('The API key is not complete or mistyped: its form or its checksum is wrong');
}

const BEARER = /^Bearer +(\S+) *$/i;

export const invalidCredential = (detail: string): Problem => new Problem('INVALID_API_KEY', detail, CHALLENGE);

/** @param older true when the key can only come as X-API-Key, as in the older variant */
export const missing = (older: boolean): Problem => {
  const how = older ? 'X-API-Key' : '`Authorization: Bearer <API key>` or as X-API-Key';
  return new Problem('MISSING_API_KEY', `Send an API key as ${how}`, CHALLENGE);
};

const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer' } } as const;
