import { createHash } from 'node:crypto';
import { withoutSecrets } from '../../sql/org/api-key.ts';

/**
 * Path and query of a call as the audit log keeps them: printable, and without keys and links, however these came in. Equal
 * queries have equal hashes.
 */

const MAX_PATH_LENGTH = 1_000;
const MAX_QUERY_LENGTH = 2_000;

/** @param path as it was sent, percent-encoded */
export const redactPath = (path: string): string =>
  withoutTokens(redacted(path.replace(BELOW_CONTACTS, '$1***'), encodeURI)).slice(0, MAX_PATH_LENGTH);

/** Replaces what may be the token of a link in an address that was mistyped: no name of ours is as long. */
export const withoutTokens = (address: string): string =>
  address.replaceAll(/(?<![\w-])[\w-]{60,200}(?![\w-])/g, '***');

/** Stands for an address that is none of ours: a path may be the name of somebody. */
const BELOW_CONTACTS = /^(\/v1\/contacts\/)(?!\*{3}$).+$/i;

/**
 * Returns a query that may name people without everything that may do so: its values, and names that no parameter has.
 * @param query as it was sent, without `?`
 * @param known names of parameters
 */
export const withoutValues = (query: string, known: readonly string[]): string =>
  query
    .split('&')
    .map((parameter) => {
      const [name = '', ...values] = parameter.split('=');
      const kept = known.includes(decoded(name)) || name === '' ? name : '***';
      return values.length === 0 ? kept : `${kept}=***`;
    })
    .join('&');

/** @param query as it was sent, without `?` @returns null for none */
export function redactQuery(query: string): string | null {
  if (query === '') return null;
  // Cut before it is redacted, which takes long: a part of a key is still recognised as one.
  return query.slice(0, MAX_QUERY_LENGTH).split('&').map(redactParameter).join('&').slice(0, MAX_QUERY_LENGTH);
}

function redactParameter(parameter: string): string {
  const [name = '', ...values] = parameter.split('=');
  const kept = redacted(name, encodeURIComponent);
  if (values.length === 0) return kept;
  const value = values.join('=');
  return `${kept}=${isSecret(decoded(name)) ? '***' : redacted(value, encodeURIComponent)}`;
}

/** SHA-256 over the parameters without keys; their order and how they were encoded do not count. Null for no query. */
export function queryHash(query: string): string | null {
  if (query === '') return null;
  const parameters = [...new URLSearchParams(query)].map(([name, value]) =>
    JSON.stringify([withoutSecrets(name), isSecret(name) ? '***' : withoutSecrets(value)]),
  );
  return createHash('sha256').update(parameters.sort().join('\n')).digest('hex');
}

/**
 * Names of parameters that are secrets, which a caller sent by mistake; and names of ours that only look like secrets.
 */
const SECRET_NAME = /key|token|secret|passw|authorization|signature/i;
const HARMLESS = new Set(['keyPrefix', 'syncToken']);

const isSecret = (name: string): boolean => SECRET_NAME.test(name) && !HARMLESS.has(name);

/** Returns the text as it is when no secret is in it, otherwise without it and encoded again. */
function redacted(text: string, encode: (plain: string) => string): string {
  const plain = decoded(text);
  const kept = withoutSecrets(plain);
  return kept === plain ? text : encode(kept);
}

/** Proxies may have encoded a text again; more rounds than this do not happen by mistake. */
const ROUNDS = 3;

/** Undoes percent-encoding; what is broken stays as it is. */
function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round < ROUNDS; round++) {
    plain = plain.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  }
  return plain;
}
