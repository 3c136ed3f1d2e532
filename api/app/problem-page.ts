import type { FailedRequest, ProblemPage } from '../operation/operation.ts';
import { pageFile } from '../pages/files.ts';
import { html } from '../pages/html.ts';
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
  const file = (name: string): string => `${root}docs/files/${pageFile(name).address}`;
  const body = html`<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – Energieanlagen</title>
<link rel="icon" href="${file('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${file('frame.css')}">
<link rel="stylesheet" href="${file('text.css')}">
<script src="${file('theme.js')}"></script>
</head>
<body class="text">
<main>
<h1>${title}</h1>
${remedy}
<p><small>Vorgangsnummer <code>${id}</code></small></p>
</main>
</body>
</html>
`.text;
  return { headers: APP_HEADERS, body };
}
