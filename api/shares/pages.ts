import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { pageBundle } from '../app/bundle.ts';
import { writeAppPage } from '../app/page.ts';
import { LANGUAGES, type Language, type Operation, operation } from '../operation/operation.ts';
import { type Html, html } from '../pages/html.ts';
import { MEANINGS, text } from '../wire/parameters.ts';
import { drawn } from './drawing.ts';
import { pictureOf, sourcesOf } from './figures.ts';
import { problemPage } from './problem-page.ts';

/** What opens by a public link: the page of its view, and a picture of it. They are for people, and outside of the contract of /v1. */

const common = {
  method: 'GET',
  access: 'share',
  scope: null,
  cost: 'cheap',
  metered: false,
  answer: null,
  pathParameters: z.strictObject({ token: text().register(MEANINGS, { type: 'string' }) }),
} as const;

/** The address is what opens the view, and the content is nobody else's concern. */
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' } as const;

const viewOf = ({ share }: Caller): NonNullable<Caller['share']> => {
  if (share === undefined) throw new Error('A page of a link was called without one');
  return share;
};

const fallback = (language: Language, picture: string): Html =>
  language === 'de'
    ? html`<p><img src="${picture}" alt="Zeichnung zu dieser Ansicht, aus dem Marktstammdatenregister"></p>
<p>Ohne JavaScript gibt es statt der Ansicht diese Zeichnung der wichtigsten Werte.</p>`
    : html`<p><img src="${picture}" alt="Drawing of this view, from the Marktstammdatenregister"></p>
<p>Without JavaScript there is this drawing of the most important values in place of the view.</p>`;

const showView = operation({
  ...common,
  id: 'share.page',
  path: '/share/{token}',
  summary: 'A view of the dashboards, behind a public link',
  source: 'service',
  media: 'text/html',
  // Other sites append parameters to links; the choices of the view are those of the link alone.
  query: z.looseObject({}),
  languages: LANGUAGES,
  problemPage,
  async handle({ caller, path: { token }, service, language }) {
    const { id, page, query } = viewOf(caller);
    service.shareLinks.count(id, 'views');
    const body = writeAppPage(await pageBundle(), '../', language, {
      data: { view: page === 'ueberblick' ? '' : page, choices: query },
      fallback: fallback(language, `${token}/bild.svg?sprache=${language}`),
    });
    return { headers: HEADERS, body };
  },
});

const showPicture = operation({
  ...common,
  id: 'share.picture',
  path: '/share/{token}/bild.svg',
  summary: 'A view of the dashboards as a picture, behind a public link',
  source: 'register',
  media: 'image/svg+xml',
  query: z.looseObject({}),
  languages: LANGUAGES,
  async handle(call) {
    const { id, ...view } = viewOf(call.caller);
    call.service.shareLinks.count(id, 'calls');
    return { headers: HEADERS, body: drawn(await pictureOf(view, call), await sourcesOf(view, call), call.language) };
  },
});

export const SHARE_PAGES: readonly Operation[] = [showView, showPicture];
