import { z } from 'zod';
import { removeEmail, subscriptionOf, subscriptionRow } from '../../../sql/org/alerts/emails.ts';
import { type OperationResult, publicOperation } from '../../operation/operation.ts';
import type { Service } from '../../operation/service.ts';
import { type Content, html } from '../../pages/html.ts';
import { plainPage } from '../../pages/plain.ts';
import { Problem } from '../../problem/problem.ts';
import { text } from '../../wire/parameters.ts';

/**
 * The page by which who gets messages of an alert stops them. Looking at it changes nothing, since mail systems look at every
 * link; its button does, and so does the POST that mail programs send by themselves (RFC 8058).
 */

const PAGE = {
  path: '/unsubscribe/{token}',
  cost: 'cheap',
  source: 'service',
  media: 'text/html',
  answer: null,
  pathParameters: z.strictObject({ token: text() }),
  // Mail programs append what they like.
  query: z.looseObject({}),
  problems: ['NOT_FOUND'],
} as const;

const showUnsubscribe = publicOperation({
  ...PAGE,
  id: 'unsubscribe.show',
  method: 'GET',
  summary: 'E-mails of an alert: the page that stops them',
  async handle({ path: { token }, service }) {
    const id = idOf(token, service);
    const found = await service.store.asOperator((session) => session.row(subscriptionRow, subscriptionOf(id)));
    if (found === null) return stopped();
    const { alert, organisation } = found;
    return page(html`<h1>E-Mails abbestellen</h1>
<p>Der Alarm „${alert}“ von ${organisation} schickt Ihnen dann keine E-Mails mehr.</p>
<p lang="en">The alert “${alert}” of ${organisation} will then send you no more e-mails.</p>
<form method="post" action="${token}">
<button type="submit">Abbestellen / <span lang="en">Unsubscribe</span></button>
</form>`);
  },
});

const stopEmails = publicOperation({
  ...PAGE,
  id: 'unsubscribe.stop',
  method: 'POST',
  summary: 'E-mails of an alert: stop them',
  form: true,
  body: z.looseObject({}),
  async handle({ path: { token }, service }) {
    const id = idOf(token, service);
    await service.store.asOperator((session) => session.run(removeEmail(id)));
    return stopped();
  },
});

export const UNSUBSCRIBE_PAGES = [showUnsubscribe, stopEmails] as const;

/** @throws Problem NOT_FOUND for what is none of our links */
function idOf(token: string, { unsubscriptions }: Service): string {
  const id = unsubscriptions.idOf(token);
  if (id === null) throw new Problem('NOT_FOUND', 'The link is not complete, or none of this service');
  return id;
}

const stopped = (): OperationResult =>
  page(html`<h1>Abbestellt</h1>
<p role="status">Dieser Alarm schickt Ihnen keine E-Mails.</p>
<p lang="en">This alert sends you no e-mails.</p>`);

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

const page = (content: Content): OperationResult => ({
  headers: HEADERS,
  body: plainPage('E-Mails abbestellen', '../', content),
});
