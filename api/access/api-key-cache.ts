import { type ApiKeyText, hashSecret, isSecret } from '../../sql/org/api-key.ts';
import { type CallerRow, callerRow, callerStatement, limitsOf } from '../../sql/org/callers.ts';
import { isScope } from '../../sql/org/rights.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { bookedBy } from './booked.ts';
import type { Caller } from './caller.ts';

/** The holder of a presented key. */
export interface KeyHolder {
  /** Null = the key is refused; `refusal` says why. */
  readonly caller: Caller | null;
  readonly refusal: string | null;
  /** Null as far as the key is unknown; for the audit log. */
  readonly organisationId: string | null;
  readonly keyId: string | null;
  readonly prefix: string;
}

/** The part of the store that keys are looked up with. */
export type Lookup = Pick<OrgStore, 'autocommit'>;

/** A key that was revoked is refused a second later at the latest, by every instance. */
const TTL_MILLISECONDS = 900;

/** Prefixes in the cache; when there are more, all are removed. */
const MAX_ENTRIES = 20_000;

/** The secret is compared with this when the prefix is unknown, so that the answer takes as long as for a known one. */
const UNKNOWN_HASH = hashSecret('');

/** @returns a function that finds out whose key it is; it looks each prefix up at most about once a second */
export function apiKeyCache(store: Lookup): (key: ApiKeyText) => Promise<KeyHolder> {
  const cache = new Map<string, { readonly found: Promise<Known | null>; readonly until: number }>();

  const lookUp = (prefix: string): Promise<Known | null> => {
    const present = cache.get(prefix);
    // The time counts from before the look-up, so that its result is never older than that.
    const now = performance.now();
    if (present !== undefined && now < present.until) return present.found;
    if (cache.size >= MAX_ENTRIES) cache.clear();
    const found = store
      .autocommit(callerRow, callerStatement(prefix))
      .then(([row]) => (row === undefined ? null : known(row)));
    cache.set(prefix, { found, until: now + TTL_MILLISECONDS });
    // A failure is for the calls that waited for it, not for the next.
    found.catch(() => cache.delete(prefix));
    return found;
  };

  return async (key) => identify(key, await lookUp(key.prefix));
}

interface Known {
  readonly row: CallerRow;
  readonly caller: Caller;
}

function identify({ environment, prefix, secret }: ApiKeyText, known: Known | null): KeyHolder {
  const right = isSecret(secret, known?.row.secretHash ?? UNKNOWN_HASH) && known?.row.environment === environment;
  const unknown = { caller: null, organisationId: known?.row.organisationId ?? null, keyId: null, prefix };
  if (known === null || !right) return { ...unknown, refusal: 'No such API key' };
  return holderOf(known);
}

/** Returns the holder of a key that is known to be the right one. */
function holderOf({ row, caller }: Known): KeyHolder {
  const { keyId, organisationId, prefix, revokedAt, expiresAt } = row;
  const identity = { organisationId, keyId, prefix };
  if (revokedAt !== null) return { ...identity, caller: null, refusal: `The API key was revoked on ${revokedAt}` };
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    return { ...identity, caller: null, refusal: `The API key expired on ${expiresAt}` };
  }
  return { ...identity, caller, refusal: null };
}

/** Looks up the holder of a key without its secret, for what was made with it earlier; null when there is no such key. */
export async function holderOfPrefix(store: Lookup, prefix: string): Promise<KeyHolder | null> {
  const [row] = await store.autocommit(callerRow, callerStatement(prefix));
  return row === undefined ? null : holderOf(known(row));
}

function known(row: CallerRow): Known {
  const caller: Caller = {
    key: {
      id: row.keyId,
      prefix: row.prefix,
      scopes: new Set(row.scopes.filter(isScope)),
      unknownScopes: row.scopes.filter((scope) => !isScope(scope)),
    },
    organisation: {
      ...bookedBy({ ...row, id: row.organisationId }),
      name: row.name,
      limits: limitsOf(row.limits),
      ownLimits: Object.keys(row.limits).length > 0,
      quota: row.quota,
    },
  };
  return { row, caller };
}
