import { z } from 'zod';
import type { Work } from '../../../sql/org/store.ts';
import type { PortalLink } from '../../access/portal-links.ts';
import type { Call, OperationResult } from '../../operation/operation.ts';
import { text } from '../../wire/parameters.ts';
import { mayReplay } from './create.ts';
import { type PortalPage, portalPage } from './layout.ts';
import { noticeFrom } from './notice.ts';
import { problemPage } from './problem-page.ts';

/** The parts that all pages behind a link have in common. */

/** The members that the operations of all pages have. */
export const PAGE = {
  access: 'link',
  scope: null,
  cost: 'cheap',
  metered: false,
  source: 'service',
  media: 'text/html',
  answer: null,
  problemPage,
} as const;

export const tokenShape = { token: text() };

/** The parameter in which a page gets the notice of what was done before. */
export const noticeShape = { notice: text().optional() };

/** A request of somebody who has a valid link. */
export interface Visit {
  readonly token: string;
  readonly link: PortalLink;
  readonly organisation: { readonly id: string; readonly name: string };
  /** True when the link was made for sending again, and its key may still do so. */
  readonly mayReplay: boolean;
  /** False: the organisation gets no webhooks at all. */
  readonly webhooksEnabled: boolean;
  /** Unix milliseconds. */
  readonly now: number;
  records<Result>(work: Work<Result>): Promise<Result>;
  /** Returns a text that a form about a subject needs. */
  proof(subject: string): string;
  page(page: Pick<PortalPage, 'path' | 'title' | 'content'>): OperationResult;
}

export function visit({
  path,
  query,
  caller,
  service,
  records,
}: Call<{ token: string }, { notice?: string | undefined }>): Visit {
  const { portalLinks } = service;
  const link = portalLinks.read(path.token);
  const { organisation } = caller;
  return {
    token: path.token,
    link,
    organisation,
    mayReplay: link.mayReplay && mayReplay(caller),
    webhooksEnabled: organisation.limits.webhooksEnabled,
    now: Date.now(),
    records,
    proof: (subject) => portalLinks.proof(link, subject),
    page: (page) =>
      portalPage({
        ...page,
        token: path.token,
        expiresAt: link.expiresAt,
        organisation: organisation.name,
        notice: query.notice === undefined ? null : noticeFrom(portalLinks.readNotice(link, query.notice)),
      }),
  };
}

/** The ids in addresses and forms; another text finds nothing. */
export const isId = (text: string): boolean => z.uuid().safeParse(text).success;
