import type { FailedRequest, ProblemPage } from '../operation/operation.ts';
import { pageFile } from '../pages/files.ts';
import { html } from '../pages/html.ts';
import type { Code } from '../problem/codes.ts';
import type { Problem } from '../problem/problem.ts';

/** The page for people whose public link does not hold. Who may frame it was decided before (chain/share.ts). */

interface Words {
  readonly title: string;
  readonly why: string;
}

const WORDS: Partial<Record<Code, Words>> = {
  LINK_EXPIRED: {
    title: 'Dieser Link gilt nicht mehr',
    why: 'Er ist abgelaufen oder wurde zurückgezogen, oder er wurde nicht vollständig übernommen. Wer ihn veröffentlicht hat, kann einen neuen geben.',
  },
  RATE_LIMITED: {
    title: 'Zu viele Aufrufe',
    why: 'In der letzten Minute wurde diese Ansicht sehr oft geöffnet. Laden Sie die Seite gleich noch einmal.',
  },
};

const BROKEN: Words = {
  title: 'Die Ansicht kann gerade nicht gezeigt werden',
  why: 'Laden Sie die Seite in einigen Sekunden neu.',
};

export function problemPage({ code }: Problem, { id, root }: FailedRequest): ProblemPage {
  const { title, why } = WORDS[code] ?? BROKEN;
  const file = (name: string): string => `${root}docs/files/${pageFile(name).address}`;
  const body = html`<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${file('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${file('frame.css')}">
<link rel="stylesheet" href="${file('text.css')}">
</head>
<body class="text">
<main>
<h1>${title}</h1>
<p>${why}</p>
<p><small><code>${code}</code>, Vorgangsnummer <code>${id}</code></small></p>
</main>
</body>
</html>
`.text;
  return { headers: { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' }, body };
}
