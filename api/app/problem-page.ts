import type { FailedRequest, ProblemPage } from '../operation/operation.ts';
import { html } from '../pages/html.ts';
import { plainPage } from '../pages/plain.ts';
import type { Problem } from '../problem/problem.ts';
import { APP_HEADERS } from './page.ts';

/** The page for people whose address leads nowhere or has what a page does not know, or when the pages cannot be served. It needs nothing of the bundle. */
export function problemPage({ code, message }: Problem, { id, root, language }: FailedRequest): ProblemPage {
  const words = WORDS[language];
  const isNowhere = code === 'NOT_FOUND';
  const isStrange = code === 'UNKNOWN_PARAMETER' || code === 'INVALID_PARAMETER';
  const title = isNowhere ? words.nowhere : isStrange ? words.strange : words.broken;
  const body = plainPage(
    `${title} – ${words.site}`,
    root,
    html`<h1>${title}</h1>
${isNowhere && message.includes('did you mean') ? html`<p lang="en">${message}</p>\n` : ''}<p>${isNowhere ? words.elsewhere(root) : isStrange ? html`${words.without} ${words.instead(root)}` : words.again}</p>
<p><small>${words.id} <code>${id}</code></small></p>`,
    language,
  );
  return { headers: APP_HEADERS, body };
}

const WORDS = {
  de: {
    site: 'Energieanlagen',
    nowhere: 'Diese Seite gibt es nicht',
    elsewhere: (root: string) => html`Unter dieser Adresse ist nichts. <a href="${root}app">Zum Überblick</a>, oder zur
<a href="${root}docs">Dokumentation der Schnittstelle</a>`,
    strange: 'Diese Adresse stimmt nicht',
    without: html`Sie hat eine Angabe, die diese Seite nicht kennt, oder ein Zeichen, das in Adressen nicht stehen kann.
<a href="?">Ohne Angaben öffnen</a>`,
    instead: (root: string) =>
      html`oder <a href="${root}app">zum Überblick</a>, <a href="${root}docs">zur Dokumentation</a>`,
    broken: 'Die Seite kann gerade nicht gezeigt werden',
    again:
      'Laden Sie die Seite in einigen Sekunden neu. Bleibt es dabei, nennen Sie Ihrem Betreiber die Vorgangsnummer.',
    id: 'Vorgangsnummer',
  },
  en: {
    site: 'Energy assets',
    nowhere: 'This page does not exist',
    elsewhere: (
      root: string,
    ) => html`There is nothing at this address. <a href="${root}app">To the overview</a>, or to the
<a href="${root}docs">documentation of the interface</a>`,
    strange: 'This address is not right',
    without: html`It has a part that this page does not know, or a sign that cannot stand in addresses.
<a href="?">Open it without its parts</a>`,
    instead: (root: string) =>
      html`or go <a href="${root}app">to the overview</a>, <a href="${root}docs">to the documentation</a>`,
    broken: 'The page cannot be shown now',
    again: 'Load the page again in a few seconds. If this lasts, tell your operator the id of the request.',
    id: 'Id of the request',
  },
};
