import { isSignal } from '../../sql/catalogue/signals.ts';
import { type ApiKeyText, hashSecret, isSecret } from '../../sql/org/api-key.ts';
import { type CallerRow, callerRow, callerStatement } from '../../sql/org/callers.ts';
import { limitsOf } from '../../sql/org/limits.ts';
import { isModule, isScope } from '../../sql/org/rights.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { Caller } from './caller.ts';

/** What is known of a presented key. */
export interface Identity {
  /** Null = the key does not open anything; `refusal` says why. */
  readonly caller: Caller | null;
  readonly refusal: string | null;
  /** As far as the key could be told, for the audit log. */
  readonly organisationId: string | null;
  readonly keyId: string | null;
  readonly prefix: string;
}

/** How long a look-up holds: a key that was revoked is refused a second later at the latest, everywhere. */
const TTL_MILLISECONDS = 900;

/** Prefixes remembered at a time; when there are more, all are forgotten. */
const MAX_ENTRIES = 20_000;

/** Compared with when nobody has the prefix, so that an answer takes as long as for one that somebody has. */
const NOBODYS_HASH = hashSecret('');

/** Finds out whose key it is. Each prefix is looked up at most about once a second. */
export function apiKeyCache(store: OrgStore): (key: ApiKeyText) => Promise<Identity> {
  const held = new Map<string, { readonly found: Promise<Known | null>; readonly until: number }>();

  const lookUp = (prefix: string): Promise<Known | null> => {
    const present = held.get(prefix);
    // The time counts from before the question, so that its answer is never older than that.
    const now = performance.now();
    if (present !== undefined && now < present.until) return present.found;
    if (held.size >= MAX_ENTRIES) held.clear();
    const found = store
      .autocommit(callerRow, callerStatement(prefix))
      .then(([row]) => (row === undefined ? null : known(row)));
    held.set(prefix, { found, until: now + TTL_MILLISECONDS });
    // A failure is for those who asked together, not for the next.
    found.catch(() => held.delete(prefix));
    return found;
  };

  return async (key) => identify(key, await lookUp(key.prefix));
}

interface Known {
  readonly row: CallerRow;
  readonly caller: Caller;
}

function identify({ environment, prefix, secret }: ApiKeyText, known: Known | null): Identity {
  const right = isSecret(secret, known?.row.secretHash ?? NOBODYS_HASH) && known?.row.environment === environment;
  const unknown = { caller: null, organisationId: known?.row.organisationId ?? null, keyId: null, prefix };
  if (known === null || !right) return { ...unknown, refusal: 'No such API key' };
  const { keyId, organisationId, revokedAt, expiresAt } = known.row;
  const identity = { organisationId, keyId, prefix };
  if (revokedAt !== null) return { ...identity, caller: null, refusal: `The API key was revoked on ${revokedAt}` };
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    return { ...identity, caller: null, refusal: `The API key expired on ${expiresAt}` };
  }
  return { ...identity, caller: known.caller, refusal: null };
}

function known(row: CallerRow): Known {
  const trialEnded = row.trialEndsAt !== null && Date.parse(row.trialEndsAt) <= Date.now();
  const caller: Caller = {
    key: {
      id: row.keyId,
      prefix: row.prefix,
      scopes: new Set(row.scopes.filter(isScope)),
      unknownScopes: row.scopes.filter((scope) => !isScope(scope)),
    },
    organisation: {
      id: row.organisationId,
      name: row.name,
      modules: new Set(trialEnded ? [] : row.modules.filter(isModule)),
      signals: new Set(row.signals.filter(isSignal)),
      alertTemplates: row.alertTemplates,
      limits: limitsOf(row.limits),
      ownLimits: Object.keys(row.limits).length > 0,
      quota: row.quota,
      trialEndsAt: row.trialEndsAt,
      trialEnded,
    },
  };
  return { row, caller };
}
