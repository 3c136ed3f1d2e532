import type { FailedRequest, ProblemPage } from '../operation/operation.ts';
import { html } from '../pages/html.ts';
import { plainPage } from '../pages/plain.ts';
import type { Problem } from '../problem/problem.ts';
import { APP_HEADERS } from './page.ts';

/** The page for people whose address below /app leads nowhere, or when the pages cannot be served. It needs nothing of the bundle. */
export function problemPage({ code }: Problem, { id, root }: FailedRequest): ProblemPage {
  const isNowhere = code === 'NOT_FOUND';
  const title = isNowhere ? 'Diese Seite gibt es nicht' : 'Die Seite kann gerade nicht gezeigt werden';
  const remedy = isNowhere
    ? html`<p>Unter dieser Adresse ist nichts. <a href="${root}app">Zum Überblick</a>, oder zur
<a href="${root}docs">Dokumentation der Schnittstelle</a></p>`
    : html`<p>Laden Sie die Seite in einigen Sekunden neu. Bleibt es dabei, nennen Sie Ihrem Betreiber die Vorgangsnummer.</p>`;
  const body = plainPage(
    `${title} – Energieanlagen`,
    root,
    html`<h1>${title}</h1>
${remedy}
<p><small>Vorgangsnummer <code>${id}</code></small></p>`,
  );
  return { headers: APP_HEADERS, body };
}
