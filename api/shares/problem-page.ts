import type { FailedRequest, ProblemPage } from '../operation/operation.ts';
import { html } from '../pages/html.ts';
import { plainPage } from '../pages/plain.ts';
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
  const body = plainPage(
    title,
    root,
    html`<h1>${title}</h1>
<p>${why}</p>
<p><small><code>${code}</code>, Vorgangsnummer <code>${id}</code></small></p>`,
  );
  return { headers: { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' }, body };
}
