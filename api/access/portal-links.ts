import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Problem } from '../problem/problem.ts';
import { tokenSealer, tokenSigner } from '../wire/signed-token.ts';
import { holderOfPrefix, type KeyHolder, type Lookup } from './api-key-cache.ts';
import { steadyShares } from './auth-failure-limiter.ts';
import type { Caller } from './caller.ts';

/**
 * Links to the delivery log. They open it without a key, so they are secrets: nobody can read, guess or change what a link holds,
 * it is valid for a short time, and only for as long as the key that it was made with has its rights.
 */
export interface PortalLinks {
  /** @param mayReplay whether messages can be sent again through the link */
  make(caller: Caller, mayReplay: boolean): { readonly token: string; readonly expiresAt: string };
  /** @throws Problem LINK_EXPIRED for what is none of our links, or too old */
  read(token: string): PortalLink;
  /**
   * Finds out in whose name a link is used. Each call counts against the link and its organisation.
   * @throws Problem RATE_LIMITED; LINK_EXPIRED when the key has lost its rights, or is gone with its organisation
   */
  holderOf(link: PortalLink): Promise<Known>;
  /** Returns a text that only a page behind this link can have; a form about a subject sends it as a proof. */
  proof(link: PortalLink, subject: string): string;
  isProof(text: string, link: PortalLink, subject: string): boolean;
  /** Signs what a page behind this link shall say after a redirect, so that nobody can make it say something else. */
  signNotice(link: PortalLink, notice: unknown): string;
  /** Returns the notice; undefined when it was not signed for this link. */
  readNotice(link: PortalLink, text: string): unknown;
}

export interface PortalLink {
  /** Names the link without giving it away. */
  readonly id: string;
  readonly organisationId: string;
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly mayReplay: boolean;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

type Known = KeyHolder & { readonly caller: Caller };

const VALID_MILLISECONDS = 15 * 60_000;

/** Pages a minute: more than a person looks at. */
const PAGES_OF_LINK = 60;

/** Links can be made without end, so the pages of all links of an organisation together are bounded as well. */
const PAGES_OF_ORGANISATION = 300;

const contentShape = z.tuple([z.uuid(), z.uuid(), z.string(), z.boolean(), z.int()]);

/** @param key the key that signs @param now Unix milliseconds */
export function portalLinks(key: string, store: Lookup, now = Date.now): PortalLinks {
  const links = tokenSealer('webhook portal', key);
  const forms = tokenSigner('webhook portal form', key);
  const notices = tokenSigner('webhook portal notice', key);
  const ofLink = steadyShares(PAGES_OF_LINK);
  const ofOrganisation = steadyShares(PAGES_OF_ORGANISATION);

  const mustHaveRoom = ({ id, organisationId }: PortalLink): void => {
    const wait = Math.max(ofLink.waitOf(id), ofOrganisation.waitOf(organisationId));
    if (wait > 0) throw new Problem('RATE_LIMITED', 'Too many pages of the delivery log', { retryAt: now() + wait });
    ofLink.use(id);
    ofOrganisation.use(organisationId);
  };

  return {
    make({ key: { id, prefix }, organisation }, mayReplay) {
      const expiresAt = now() + VALID_MILLISECONDS;
      const content: z.infer<typeof contentShape> = [organisation.id, id, prefix, mayReplay, expiresAt];
      return { token: links.sign(content), expiresAt: new Date(expiresAt).toISOString() };
    },
    read(token) {
      const content = links.verify(token);
      if (content === undefined) throw new Problem('LINK_EXPIRED', 'The link is not complete, or none of this service');
      const [organisationId, keyId, keyPrefix, mayReplay, expiresAt] = contentShape.parse(content);
      if (now() >= expiresAt) {
        throw new Problem('LINK_EXPIRED', `The link was valid until ${new Date(expiresAt).toISOString()}`);
      }
      const id = createHash('sha256').update(token).digest('base64url').slice(0, 22);
      return { id, organisationId, keyId, keyPrefix, mayReplay, expiresAt };
    },
    async holderOf(link) {
      mustHaveRoom(link);
      const holder = await holderOfPrefix(store, link.keyPrefix);
      const isSame = holder?.keyId === link.keyId && holder.organisationId === link.organisationId;
      const { caller = null } = isSame ? holder : {};
      if (holder !== null && caller !== null && mayRead(caller)) return { ...holder, caller };
      throw new Problem(
        'LINK_EXPIRED',
        'The key that the link was made with has no right to the delivery log any more',
      );
    },
    proof: (link, subject) => forms.sign([link.id, subject]),
    isProof(text, link, subject) {
      const content = forms.verify(text);
      return JSON.stringify(content) === JSON.stringify([link.id, subject]);
    },
    signNotice: (link, notice) => notices.sign([link.id, notice]),
    readNotice(link, text) {
      const content = notices.verify(text);
      return Array.isArray(content) && content[0] === link.id ? content[1] : undefined;
    },
  };
}

const mayRead = ({ key, organisation }: Caller): boolean =>
  organisation.modules.has('api') && key.scopes.has('webhooks:read');
