import { createHash } from 'node:crypto';
import { withoutKeys } from '../../sql/org/api-key.ts';

/** The query of a call as the audit log keeps it: without keys, and with a hash that knows equal queries again. */

/** Parameters that are secrets by their name, whoever sent them here by mistake. */
const SECRET_NAME = /key|token|secret|passw|authorization|signature/i;

/** Names of ours that only look like it. */
const HARMLESS = new Set(['keyPrefix', 'syncToken']);

const MOST_CHARACTERS = 2_000;

/** @param query as written, without `?` @returns null for none */
export function cleanQuery(query: string): string | null {
  if (query === '') return null;
  const cleaned = query
    .split('&')
    .map((part) => {
      const name = part.split('=', 1)[0] ?? '';
      return SECRET_NAME.test(name) && !HARMLESS.has(name) && part.includes('=') ? `${name}=***` : withoutKeys(part);
    })
    .join('&');
  return cleaned.slice(0, MOST_CHARACTERS);
}

/** SHA-256 over the cleaned parameters in the order of their names: equal questions have equal hashes. */
export function queryHash(query: string): string | null {
  const cleaned = cleanQuery(query);
  if (cleaned === null) return null;
  const pairs = [...new URLSearchParams(cleaned)].map((pair) => JSON.stringify(pair)).sort();
  return createHash('sha256').update(pairs.join('\n')).digest('hex');
}
