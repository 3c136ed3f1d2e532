import { today } from '../../runtime/settings.ts';
import type { Caller } from '../access/caller.ts';
import { pagePolicy } from '../app/page.ts';
import { type KeyOperation, mediaOf } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import { MOST_ROWS } from '../shares/limits.ts';
import { isAdmitted } from '../shares/views.ts';
import type { OperationContext } from './context.ts';

/** Whoever has a public link to a view calls without a key. */

/** `Authorization: Share <token>`, which the page of a link sends. */
const SCHEME = /^Share +(\S+) *$/i;

/** The token of the link through which a request comes; null when it comes with a key, or with nothing. */
export function presentedToken(context: OperationContext, operation: KeyOperation): string | null {
  return operation.shared === true ? (SCHEME.exec(context.get('Authorization'))?.[1] ?? null) : null;
}

/**
 * Finds the caller of a request to the interface, which the view of the link has to need.
 * @throws Problem LINK_EXPIRED, RATE_LIMITED, NOT_SHARED
 */
export async function visitorOf(
  context: OperationContext,
  operation: KeyOperation,
  service: Service,
  token: string,
): Promise<Caller> {
  const { addressOf, cursors, settings, shareLinks } = service;
  const share = await shareLinks.find(token, addressOf(context.req));
  const caller = shareLinks.callerBy(share, today(settings));
  const query = new URLSearchParams(context.querystring);
  const asked = { operation: operation.id, path: context.params, query };
  const isNear = isWithinRows(query, (cursor) => cursors.verify(cursor)?.delivered ?? 0);
  // Other forms of an answer have more: GeoJSON says where units stand, whatever the columns.
  const isJson = context.accepts(mediaOf(operation)) === operation.media;
  if (context.get('X-API-Key') !== '' || !isJson || !isNear || !isAdmitted(asked, share)) {
    throw new Problem('NOT_SHARED', 'The link shows one view, and this request is none of that view');
  }
  shareLinks.count(share.id, 'calls');
  return caller;
}

/** A list goes on page by page for so many rows, and no further. */
function isWithinRows(query: URLSearchParams, delivered: (cursor: string) => number): boolean {
  const cursor = query.get('cursor');
  return cursor === null || delivered(cursor) + Number(query.get('limit')) <= MOST_ROWS;
}

/**
 * Finds the caller of the page behind a link. The pages of the origins that the organisation has chosen may frame whatever
 * is answered then, also that the link does not hold any more.
 * @throws Problem LINK_EXPIRED, RATE_LIMITED
 */
export async function openerOf(context: OperationContext, service: Service): Promise<Caller> {
  const { addressOf, settings, shareLinks } = service;
  context.set('Content-Security-Policy', pagePolicy());
  const share = await shareLinks.find(context.params.token ?? '', addressOf(context.req));
  context.set('Content-Security-Policy', pagePolicy(share.frameAncestors));
  return shareLinks.callerBy(share, today(settings));
}
