import type { Logger } from '../../runtime/log.ts';
import { DEFAULT_LIMITS } from '../../sql/org/callers.ts';
import { isUuid } from '../../sql/org/organisations.ts';
import type { Module, Scope } from '../../sql/org/rights.ts';
import { countUses, type UsedShareRow, usedShare, usedShareRow } from '../../sql/org/shares.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';
import { tokenSigner } from '../wire/signed-token.ts';
import { type AuthFailureLimiter, steadyShares } from './auth-failure-limiter.ts';
import { bookedBy } from './booked.ts';
import type { Caller } from './caller.ts';
import { NOBODY } from './visitors.ts';

/**
 * Public links to one view each. Whoever has one calls without a key, in the name of an organisation that does not exist:
 * whatever an operation looks up of its caller, row-level security has nothing to show. What the link's own organisation
 * has booked decides what of the register is seen.
 */
export interface ShareLinks {
  /** The token of a link; always the same one. */
  tokenOf(id: string): string;
  /** @throws Problem LINK_EXPIRED for what this service has not signed */
  idOf(token: string): string;
  /**
   * Finds the link of a token. Each call counts against the link, its organisation and the address that asks.
   * @throws Problem LINK_EXPIRED for what is no link; RATE_LIMITED
   */
  find(token: string, address: string): Promise<UsedShareRow>;
  /**
   * Returns the caller who has a link.
   * @param today the calendar day
   * @throws Problem LINK_EXPIRED when it was revoked, has ended, or its organisation may not use the API any more
   */
  callerBy(share: UsedShareRow, today: string): Caller;
  /** Counts an opening of the page, or a request to the interface that it admits. */
  count(id: string, what: 'views' | 'calls'): void;
  /** Writes the counts that the store does not have yet. */
  write(): Promise<void>;
  close(): Promise<void>;
}

/** Looked up once in this time, so that a link that was revoked is refused a second later at the latest. */
const TTL_MILLISECONDS = 900;
const MAX_ENTRIES = 5_000;

/** A view costs up to forty requests, and pages that embed one are opened by many at once: links have more than an address. */
const LINK_BY_ADDRESS = 5;
const ORGANISATION_BY_ADDRESS = 10;

const WRITE_MILLISECONDS = 2_000;

/** Read rights of views; the view itself says which operations. */
const SCOPES: ReadonlySet<Scope> = new Set(['units:read', 'region:read', 'reference:read', 'ausschreibungen:read']);
const MODULES: readonly Module[] = ['api', 'analysis', 'ausschreibungen', 'eeg_verguetung'];

/**
 * @param key the key that signs
 * @param perMinute requests of an address
 */
export function shareLinks(
  key: string,
  store: Pick<OrgStore, 'autocommit' | 'asOperator'>,
  perMinute: number,
  authFailures: Pick<AuthFailureLimiter, 'count' | 'mustHaveRoom'>,
  log: Pick<Logger, 'error'>,
): ShareLinks {
  const signer = tokenSigner('share', key);
  const ofAddress = steadyShares(perMinute);
  const ofLink = steadyShares(perMinute * LINK_BY_ADDRESS);
  const ofOrganisation = steadyShares(perMinute * ORGANISATION_BY_ADDRESS);
  const cache = new Map<string, { readonly found: Promise<UsedShareRow | null>; readonly until: number }>();
  let unwritten = new Map<string, { views: number; calls: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let closed = false;

  const lookUp = (id: string): Promise<UsedShareRow | null> => {
    const now = performance.now();
    const present = cache.get(id);
    if (present !== undefined && now < present.until) return present.found;
    if (cache.size >= MAX_ENTRIES) cache.clear();
    const found = store.autocommit(usedShareRow, usedShare(id)).then(([row]) => row ?? null);
    cache.set(id, { found, until: now + TTL_MILLISECONDS });
    found.catch(() => cache.delete(id));
    return found;
  };

  const mustHaveRoom = (id: string, organisationId: string, address: string): void => {
    const wait = Math.max(ofLink.waitOf(id), ofOrganisation.waitOf(organisationId), ofAddress.waitOf(address));
    if (wait > 0)
      throw new Problem('RATE_LIMITED', 'Too many requests through this link', { retryAt: Date.now() + wait });
    ofLink.use(id);
    ofOrganisation.use(organisationId);
    ofAddress.use(address);
  };

  const idOf = (token: string): string => {
    const id = signer.verify(token);
    if (typeof id === 'string' && isUuid(id)) return id;
    throw new Problem('LINK_EXPIRED', 'The link is not complete, or none of this service');
  };

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeCounts);
    return writing;
  };

  const writeCounts = async (): Promise<void> => {
    const batch = unwritten;
    unwritten = new Map();
    if (batch.size === 0) return;
    const at = new Date().toISOString();
    try {
      await store.asOperator((session) =>
        session.run(countUses([...batch].map(([id, uses]) => ({ id, ...uses, at })))),
      );
    } catch (error) {
      log.error({ err: error }, 'uses of shared links cannot be written; they are kept');
      for (const [id, { views, calls }] of batch) add(id, views, calls);
    }
  };

  const add = (id: string, views: number, calls: number): void => {
    const before = unwritten.get(id) ?? { views: 0, calls: 0 };
    unwritten.set(id, { views: before.views + views, calls: before.calls + calls });
    if (!closed) timer ??= setTimeout(write, WRITE_MILLISECONDS).unref();
  };

  return {
    tokenOf: (id) => signer.sign(id),
    idOf,
    async find(token, address) {
      authFailures.mustHaveRoom(address);
      try {
        const id = idOf(token);
        const share = await lookUp(id);
        if (share === null) throw new Problem('LINK_EXPIRED', 'The link was removed');
        mustHaveRoom(id, share.organisationId, address);
        return share;
      } catch (error) {
        if (error instanceof Problem && error.code === 'LINK_EXPIRED') authFailures.count(address);
        throw error;
      }
    },
    callerBy(share, today) {
      if (share.revokedAt !== null) throw new Problem('LINK_EXPIRED', `The link was revoked on ${share.revokedAt}`);
      if (share.endsOn < today) throw new Problem('LINK_EXPIRED', `The link held until ${share.endsOn}`);
      const booked = bookedBy({ ...share, id: NOBODY, alertTemplates: [] });
      if (!booked.modules.has('api')) {
        throw new Problem('LINK_EXPIRED', 'The organisation that made the link has no access any more');
      }
      const modules = new Set(MODULES.filter((module) => booked.modules.has(module)));
      return {
        key: { id: share.id, prefix: `share ${share.id}`, scopes: SCOPES, unknownScopes: [] },
        organisation: { ...booked, modules, name: '', limits: DEFAULT_LIMITS, ownLimits: false, quota: 0 },
        share: { id: share.id, page: share.page, query: share.query },
      };
    },
    count: (id, what) => add(id, what === 'views' ? 1 : 0, what === 'calls' ? 1 : 0),
    write,
    close() {
      closed = true;
      return write();
    },
  };
}
