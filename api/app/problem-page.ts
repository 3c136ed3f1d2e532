import type { FailedRequest, ProblemPage } from '../operation/operation.ts';
import { html } from '../pages/html.ts';
import { plainPage } from '../pages/plain.ts';
import type { Problem } from '../problem/problem.ts';
import { APP_HEADERS } from './page.ts';

/** The page for people whose address below /app leads nowhere, or when the pages cannot be served. It needs nothing of the bundle. */
export function problemPage({ code }: Problem, { id, root, language }: FailedRequest): ProblemPage {
  const words = WORDS[language];
  const isNowhere = code === 'NOT_FOUND';
  const title = isNowhere ? words.nowhere : words.broken;
  const body = plainPage(
    `${title} – ${words.site}`,
    root,
    html`<h1>${title}</h1>
<p>${isNowhere ? words.elsewhere(root) : words.again}</p>
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
    broken: 'The page cannot be shown now',
    again: 'Load the page again in a few seconds. If this lasts, tell your operator the id of the request.',
    id: 'Id of the request',
  },
};
